import { beforeAll, describe, expect, test } from 'vitest';
import { meaningOf } from '../../../permissions/expressions/combine.ts';
import { runMutants } from '../../../permissions/testing/mutate/run-mutants.ts';
import { scoreOf } from '../../../permissions/testing/report/print-mutants.ts';
import { pinnedModel } from '../../../permissions/testing/run/pin-now.ts';
import { withTestedRules } from '../../../permissions/testing/run/tested-rules.ts';
import { loadSuites } from '../../../permissions/testing/suites/resolve-suites.ts';
import { failureOf } from '../support/as-role.ts';
import { people, rules, useNotes } from './notes.ts';

const notes = useNotes();

const suite = `${people}  - test: a reader sees published notes\n    list: { reader: [published] }\n`;
const locking = suite.replace('tests:', 'triggers: false\ntests:');

describe('a reader of a tested table', () => {
  const settings = (attempts: number) => {
    const { metadata, prefix } = notes.installation;
    return { metadata, rolePrefix: prefix, headerPrefix: 'X-Gql-', attempts };
  };

  beforeAll(async () => {
    await notes.run({ note: locking });
    await notes.installation.apply();
  });

  test('makes no mutant count as refused or noticed', async () => {
    const { owner, database, metadata } = notes.installation;
    const reader = await database.connectOwner();
    await reader.query('begin; select from note');
    const running = withTestedRules(owner, settings(1), async (tested) => {
      const { model } = tested.prepared.loaded;
      const suites = await loadSuites(metadata, model, undefined);
      return runMutants(suites, { rules: tested, searchPath: 'pg_catalog, pg_temp' });
    });
    const { message } = await failureOf(running);
    await reader.query('rollback');
    expect(message).toContain('RG_LOCKED another session keeps locks on what the tests must lock');
  });

  test('is waited for by another attempt', async () => {
    const { owner, database } = notes.installation;
    const reader = await database.connectOwner();
    await reader.query('begin; select from note');
    const attempts: string[] = [];
    await withTestedRules(owner, settings(2), async ({ client }) => {
      attempts.push('one');
      await (attempts.length === 2 ? reader.query('rollback') : undefined);
      await client.query('lock table public.note in access exclusive mode');
    });
    expect(attempts).toEqual(['one', 'one']);
  });
});

describe('a score', () => {
  test('of no counted mutant is none', () => {
    expect(scoreOf([])).toEqual({ killed: 0, counted: 0, percent: 0 });
  });
});

describe('an own rule of an inheriting role', () => {
  test('has mutants although its parent has a rule, and an inherited rule has none', async () => {
    const roles = `roles:
  reader: { purpose: reads, requires: [X-Gql-Team-Id] }
  child: { purpose: reads, inherits: [reader] }
`;
    const own = `${rules['tables/team.yaml']}  child: { select: { filter: { name: { _eq: Red } }, columns: [id, name] } }\n`;
    const note = `table: note
permissions:
  reader: { select: { filter: { team_id: { _eq: X-Gql-Team-Id } }, columns: [body] } }
`;
    const tests = `table: team
principals: { reader: { role: reader, variables: { X-Gql-Team-Id: $red } } }
fixtures: { team: { red: { id: 901, name: Red }, blue: { id: 902, name: Blue } } }
tests:
  - { test: own, list: { reader: [red] } }
`;
    const { stdout } = await notes.run({ team: tests }, ['--mutate'], {
      'roles.yaml': roles,
      'tables/team.yaml': own,
      'tables/note.yaml': note,
    });
    expect(stdout).toContain('role widened: child select on team with every row');
    expect(stdout).not.toContain('child select on note');
  });
});

describe('the header prefix', () => {
  test('of the installation is that of printed conditions and tests', async () => {
    const renamed = (text: string) => text.replaceAll('X-Gql-', 'X-My-');
    const changed = Object.fromEntries(
      Object.entries(rules).map(([name, text]) => [name, renamed(String(text))]),
    );
    const { stdout } = await notes.run({ note: renamed(suite) }, ['--mutate'], changed, {
      ROWGATE_HEADER_PREFIX: 'X-My-',
    });
    expect(stdout).toContain('with the opposite of { author: { _eq: X-My-User-Id } }');
    expect(stdout).toMatch(/variables: \{ X-My-/);
    expect(stdout.toLowerCase()).not.toContain('x-gql-');
  });
});

describe('a pinned time', () => {
  test('replaces the clock in column masks and in rules about references too', async () => {
    await notes.installation.rewrite({
      'roles.yaml':
        'roles: { a: { purpose: a }, b: { purpose: b }, both: { purpose: both, inherits: [a, b] } }\n',
      'tables/note.yaml': `table: note
permissions:
  a: { select: { filter: { due: { _lt: now() } }, columns: [id, body] } }
  b: { select: { filter: {}, columns: [id] } }
`,
    });
    const masked = (await notes.installation.prepare()).loaded.model;
    expect(meaningOf(masked.roles.get('both'))).toContain('"kind":"now"');
    const pinned = pinnedModel(masked, '2000-01-01T00:00:00Z');
    expect(meaningOf([...pinned.roles])).not.toContain('"kind":"now"');
  });
});
