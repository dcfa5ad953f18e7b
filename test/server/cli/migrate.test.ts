import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { type Finished, runRowgate } from '../../support/rowgate.ts';

const organizations = 'select count(*)::int as rows from public.organization';

async function newDatabase(): Promise<[TestDatabase, Record<string, string>]> {
  const database = await createDatabase();
  return [database, { DATABASE_URL: database.ownerUrl }];
}

describe('rowgate migrate', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  let first: Finished;

  beforeAll(async () => {
    [database, environment] = await newDatabase();
    first = await runRowgate(['migrate'], environment);
  });
  afterAll(() => database.drop());

  test('creates the tables without the demo data', async () => {
    const ran = expect.stringMatching(/^ran gateway\/0001_.*\.sql\nran /);
    expect([first.code, first.stdout]).toEqual([0, ran]);
    expect(await query(database.superuserUrl, organizations)).toEqual([{ rows: 0 }]);
  });

  test('lets only the service login use the tables of the queue', async () => {
    const rights = `select has_schema_privilege('public', 'rowgate_queue', 'usage')
        or has_schema_privilege('public', 'rowgate_events', 'usage')
        or has_function_privilege('public', 'rowgate_queue.create_queue(text, jsonb)', 'execute') as open,
      has_table_privilege(r.oid, 'rowgate_queue.job', 'insert') as sidecar
      from pg_roles r where rolname = 'rowgate_${database.name}_sidecar_login'`;

    expect(await query(database.superuserUrl, rights)).toEqual([{ open: false, sidecar: true }]);
  });

  test('changes nothing when it runs a second time', async () => {
    expect(await runCommand(['migrate'], environment)).toMatchObject({
      code: 0,
      stdout: 'the tables are up to date\n',
    });
  });
});

// The second test depends on the tables of the first.
describe('rowgate migrate with options', { shuffle: false }, () => {
  let database: TestDatabase;
  let environment: Record<string, string>;

  beforeAll(async () => {
    [database, environment] = await newDatabase();
  });
  afterAll(() => database.drop());

  test('creates only the tables of the event worker with --events-only', async () => {
    const { code, stdout } = await runCommand(['migrate', '--events-only'], environment);

    expect([code, stdout]).toEqual([0, expect.stringMatching(/^(ran gateway\/.*\n)+$/)]);
    const schemas = `select array_agg(nspname::text order by nspname) as names from pg_namespace
      where nspname like 'rowgate%'`;
    expect(await query(database.superuserUrl, schemas)).toEqual([
      { names: ['rowgate', 'rowgate_api', 'rowgate_events', 'rowgate_policy', 'rowgate_queue'] },
    ]);
  });

  test('adds the demo data to existing tables with --seed', async () => {
    await runCommand(['migrate', '--seed'], environment);
    expect(await query(database.superuserUrl, organizations)).toEqual([{ rows: 4 }]);
  });
});

test.each([
  ['--seed together with --events-only', ['--events-only', '--seed'], 'leave out --seed or'],
  ['an argument without an option', ['up'], 'takes no argument "up"'],
])('rowgate migrate refuses %s', async (_what, args, problem) => {
  expect(await runCommand(['migrate', ...args])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(problem),
  });
});
