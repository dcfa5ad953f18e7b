import type { Block, DocumentStatus } from '../../../rendering/model.ts';
import { languageOf } from '../../document-language.ts';
import type { Row, Rows } from '../read/row-reader.ts';
import { facts, paragraphs, section, table } from './blocks.ts';
import { ModificationTimes } from './modification-times.ts';
import {
  findOrganization,
  findPerson,
  formatOf,
  organizationParty,
  personParty,
} from './parties.ts';
import { type Print, type Printed, type PrintSource, textOf, wordsOf } from './printed.ts';

/** A case, and the organization that its reader is limited to. */
export interface CaseSubject {
  readonly id: string;
  /** The only organization whose cases the reader may print; absent: all cases that the rules show. */
  readonly organizationId: string | undefined;
}

const tones: Readonly<Record<string, DocumentStatus['tone']>> = {
  resolved: 'good',
  closed: 'good',
  waiting: 'warning',
  locked: 'bad',
};

/** Prints the report of a case: its subject, its result and its documents. */
export const printCaseReport: Print<CaseSubject> = async (source, subject) => {
  const { rows } = source;
  const times = new ModificationTimes();
  const found = await findCase(rows, subject, times);
  if (!found) return undefined;
  const { row, number } = found;
  const { organization, person } = await findParties(rows, row, times);
  const format = formatOf(organization, source.format);
  // The case may be assigned to a person of any organization. A reader who is limited to one organization sees only
  // people of that organization.
  const worker = await findPerson(rows, textOf(row, 'assigned_to'), times, subject.organizationId);
  const documents = times.add(
    await rows.select({
      table: 'case_document',
      where: { case_id: subject.id },
      orderBy: ['created_at', 'id'],
    }),
  );
  const status = textOf(row, 'status');
  const title = `Case report ${number}`;
  const document = {
    title,
    heading: title,
    language: languageOf(format),
    ...(status !== undefined && {
      status: { text: wordsOf(status) ?? '', tone: tones[status] ?? 'neutral' },
    }),
    parties: [
      ...organizationParty('Organization', organization, format),
      ...personParty('Person', person),
    ],
    blocks: [
      ...facts([
        ['About', textOf(row, 'title')],
        ['Kind', wordsOf(textOf(row, 'kind'))],
        ['Priority', wordsOf(textOf(row, 'priority'))],
        ['Worked on by', textOf(worker, 'full_name')],
        ['Opened', dayText(row, 'opened_at', format)],
        ['Due', dayText(row, 'due_on', format)],
        ['Closed', dayText(row, 'closed_at', format)],
      ]),
      ...section('Summary', paragraphs(textOf(row, 'summary'))),
      ...section('Resolution', paragraphs(textOf(row, 'resolution'))),
      ...documentTable(documents, format),
    ],
    modifiedAt: times.modifiedAt(),
  };
  return { document, name: `case-report-${number}`, lastModified: times.lastModified() };
};

/** Prints the agreement of a case for signing; undefined also when the case has no agreement. */
export const printCaseAgreement: Print<CaseSubject> = async (
  { rows, format, brand },
  subject,
): Promise<Printed | undefined> => {
  const times = new ModificationTimes();
  const found = await findCase(rows, subject, times);
  const terms = paragraphs(textOf(found?.row, 'agreement'));
  if (!found || terms.length === 0) return undefined;
  const { row, number } = found;
  const { organization, person } = await findParties(rows, row, times);
  const name = textOf(organization, 'name');
  const personName = textOf(person, 'full_name');
  const title = `Agreement ${number}`;
  const document = {
    title,
    heading: title,
    language: languageOf(format),
    parties: [
      ...organizationParty('Between', organization, format),
      ...personParty('And', person),
      { label: 'And', lines: [brand.name, ...brand.address] },
    ],
    blocks: [
      ...facts([
        ['Case', number],
        ['About', textOf(row, 'title')],
      ]),
      ...section('What is agreed', terms),
      {
        kind: 'signatures' as const,
        parties: [name ?? 'The organization', ...(personName ? [personName] : []), brand.name],
      },
    ],
    modifiedAt: times.modifiedAt(),
  };
  return { document, name: `case-agreement-${number}`, lastModified: times.lastModified() };
};

function documentTable(
  documents: readonly Row[] | undefined,
  format: PrintSource['format'],
): readonly Block[] {
  return table('Documents', documents, [
    {
      ...{ title: 'Document', align: 'start', width: 6, needs: ['title'] },
      text: (one) => textOf(one, 'title') ?? 'Untitled',
    },
    {
      ...{ title: 'Kind', align: 'start', width: 3, needs: ['kind'] },
      text: (one) => wordsOf(textOf(one, 'kind')),
    },
    {
      ...{ title: 'Added', align: 'start', width: 3, needs: ['created_at'] },
      text: (one) => dayText(one, 'created_at', format),
    },
  ]);
}

function dayText(row: Row, column: string, format: PrintSource['format']): string | undefined {
  const value = textOf(row, column);
  return value && format.date(value);
}

async function findCase(rows: Rows, { id, organizationId }: CaseSubject, times: ModificationTimes) {
  const where = { id, ...(organizationId !== undefined && { organization_id: organizationId }) };
  const [row] = times.add(await rows.select({ table: 'case', where, limit: 1 })) ?? [];
  return row && { row, number: textOf(row, 'case_number') ?? id };
}

async function findParties(rows: Rows, row: Row, times: ModificationTimes) {
  return {
    organization: await findOrganization(rows, textOf(row, 'organization_id'), times),
    person: await findPerson(rows, textOf(row, 'user_id'), times),
  };
}
