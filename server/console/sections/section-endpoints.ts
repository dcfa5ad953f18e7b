import type pg from 'pg';
import type { Static } from 'typebox';
import { pinSettings, sqlState } from '../../../permissions/index.ts';
import { type AdminScope, adminEndpoint } from '../../admin/admin-endpoint.ts';
import { adminReading } from '../../admin/admin-reading.ts';
import {
  actAnswer,
  actBody,
  actWords,
  pageAnswer,
  pageBody,
  sectionsAnswer,
  wordsBody,
} from '../../admin/section-bodies.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import type {
  ActResult,
  Chosen,
  ConsoleSection,
  SectionAct,
  SectionChoice,
  SectionList,
} from './section.ts';
import { changed, mistake, unknownName } from './section-refusals.ts';

const pageSize = 50;

const unknown = { 404: { description: 'The application has no such list or act' } };

const unknownOrChanged = {
  ...unknown,
  409: { description: 'Something has changed in the meantime, so nothing was done' },
};

type Sections = readonly ConsoleSection[];

/** Makes the endpoints for the sections of the application. */
export function makeSectionEndpoints(sections: Sections, scope: AdminScope): readonly Endpoint[] {
  return [sectionsEndpoint, pageEndpoint, wordsEndpoint, actEndpoint].map((make) =>
    make(sections, scope),
  );
}

function sectionsEndpoint(sections: Sections, scope: AdminScope): Endpoint {
  return adminReading(
    {
      path: '/console/sections',
      operationId: 'getConsoleSections',
      summary: 'describe the sections of the application, without rows',
      answer: sectionsAnswer,
      work: async () => JSON.stringify(sections.map(describe)),
    },
    scope,
  );
}

function pageEndpoint(sections: Sections, scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/console/sections/page',
      operationId: 'readConsoleSection',
      summary: 'read a page of a list of the application',
      body: pageBody,
      answer: pageAnswer,
      answers: unknown,
      subject: ({ section, list, of }) => ({
        table: `${section}/${list}`,
        subject: of,
      }),
      work: async ({ search, filter, after, ...body }, session) => {
        const { list, of } = listIn(sections, body);
        refuseUnlisted(list.filter, filter, 'filter');
        const question = { search: search || undefined, filter, of, after, limit: pageSize };
        return JSON.stringify(await session.rolledBack((client) => list.read(client, question)));
      },
    },
    scope,
  );
}

function wordsEndpoint(sections: Sections, scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/console/sections/words',
      operationId: 'readConsoleAct',
      summary: 'say what an act of the application would do',
      body: wordsBody,
      answer: actWords,
      answers: unknownOrChanged,
      subject: subjectOf,
      work: async (body, session) => {
        const { act, chosen } = actIn(sections, body);
        return JSON.stringify(await session.rolledBack((client) => act.words(client, chosen)));
      },
    },
    scope,
  );
}

function actEndpoint(sections: Sections, scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/console/sections/act',
      operationId: 'runConsoleAct',
      summary: 'do what was confirmed with chosen rows of the application',
      description:
        'Does nothing if the words of what would happen differ from the confirmed ones, because something has changed in the meantime.',
      body: actBody,
      answer: actAnswer,
      answers: unknownOrChanged,
      changes: true,
      subject: subjectOf,
      work: async ({ confirmed, ...body }, { client }) => {
        const { act, chosen } = actIn(sections, body);
        const { done, afterwards } = await committed(client, async () => {
          const words = await act.words(client, chosen);
          if (JSON.stringify(words) !== JSON.stringify(confirmed)) throw changed();
          return act.run(client, chosen);
        });
        afterwards?.();
        return JSON.stringify({ done });
      },
    },
    scope,
  );
}

function subjectOf({ section, list, act, keys, choice }: Static<typeof wordsBody>) {
  return {
    table: `${section}/${list}`,
    operation: choice === undefined ? act : `${act} ${choice}`,
    subject: keys.join(', '),
  };
}

/**
 * Runs an act in a transaction of its own. All of its statements see the same rows, and it fails if another session
 * changes a row in between, so that exactly the confirmed words come true.
 */
async function committed(
  client: pg.ClientBase,
  work: () => Promise<ActResult>,
): Promise<ActResult> {
  await client.query('begin isolation level repeatable read');
  try {
    await client.query(pinSettings);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw sqlState(error) === '40001' ? changed() : error;
  }
}

interface ListName {
  readonly section: string;
  readonly list: string;
  readonly of?: string;
}

/** @throws Refusal 404, or 400 when the row is missing to which the list belongs */
function listIn(sections: Sections, named: ListName) {
  const section = sections.find(({ name }) => name === named.section);
  const list = section?.lists.find(({ name }) => name === named.list);
  if (!list) throw unknownName('list', `${named.section}/${named.list}`);
  const { of = '' } = named;
  if ((list.of === undefined) !== (of === '')) {
    const problem = list.of === undefined ? 'belongs to no row' : `needs a row of ${list.of}`;
    throw mistake(`the list ${list.name} ${problem}`);
  }
  return { list, of };
}

interface ActName extends ListName {
  readonly act: string;
  readonly keys: readonly string[];
  readonly choice?: string;
}

/** @throws Refusal */
function actIn(
  sections: Sections,
  named: ActName,
): { readonly act: SectionAct; readonly chosen: Chosen } {
  const { list, of } = listIn(sections, named);
  const act = list.acts.find(({ name }) => name === named.act);
  if (!act) throw unknownName('act', named.act);
  const { keys, choice } = named;
  refuseUnlisted(act.choice, choice, 'choice');
  if (act.choice && choice === undefined) throw mistake(`the act ${act.name} lacks its choice`);
  return { act, chosen: { keys, of, choice: choice ?? '' } };
}

/** @throws Refusal 400 for a name that the choice does not have */
function refuseUnlisted(
  choice: SectionChoice | undefined,
  name: string | undefined,
  kind: string,
): void {
  if (name === undefined || choice?.names().includes(name)) return;
  throw mistake(`the ${kind} has no “${name}”`);
}

function describe({ lists, ...section }: ConsoleSection) {
  return { ...section, lists: lists.map(describeList) };
}

function describeList({ read: _, filter, acts, ...list }: SectionList) {
  return {
    ...list,
    ...(filter && { filter: describeChoice(filter) }),
    acts: acts.map(({ name, title, choice }) => ({
      ...{ name, title },
      ...(choice && { choice: describeChoice(choice) }),
    })),
  };
}

function describeChoice({ title, names }: SectionChoice) {
  return { title, names: names() };
}
