import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { runRowgate } from '../../support/rowgate.ts';

let database: TestDatabase;
let environment: Record<string, string>;

beforeEach(async () => {
  database = await createDatabase();
  environment = { DATABASE_URL: database.ownerUrl };
});

afterEach(() => database.drop());

const organizations = 'select count(*)::int as rows from public.organization';

describe('migrate', () => {
  test('brings the tables in without the demo data', async () => {
    const { code, stdout } = await runRowgate(['migrate'], environment);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ran gateway\/0001_.*\.sql\nran /)]);
    expect(await query(database.superuserUrl, organizations)).toEqual([{ rows: 0 }]);
  });

  test('brings the demo data in where that is asked for', async () => {
    await runRowgate(['migrate', '--seed'], environment);
    expect(await query(database.superuserUrl, organizations)).toEqual([{ rows: 4 }]);
  });

  test('has nothing to do the second time', async () => {
    await runRowgate(['migrate'], environment);
    expect(await runRowgate(['migrate'], environment)).toMatchObject({
      code: 0,
      stdout: 'nothing to migrate\n',
    });
  });

  test('brings in only what the worker needs where that is asked for', async () => {
    const { code, stdout } = await runRowgate(['migrate', '--events-only'], environment);

    expect([code, stdout]).toEqual([0, expect.stringMatching(/^(ran gateway\/.*\n)+$/)]);
    const schemas = `select array_agg(nspname::text order by nspname) as names from pg_namespace
      where nspname like 'rowgate%'`;
    expect(await query(database.superuserUrl, schemas)).toEqual([
      { names: ['rowgate', 'rowgate_api', 'rowgate_events', 'rowgate_policy', 'rowgate_queue'] },
    ]);
  });

  test('brings no demo data in beside other tables', async () => {
    expect(await runRowgate(['migrate', '--events-only', '--seed'], environment)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('leave out --seed or --events-only'),
    });
  });

  test('lets the worker alone into the queue', async () => {
    await runRowgate(['migrate'], environment);
    const rights = `select has_schema_privilege('public', 'rowgate_queue', 'usage')
        or has_schema_privilege('public', 'rowgate_events', 'usage')
        or has_function_privilege('public', 'rowgate_queue.create_queue(text, jsonb)', 'execute') as open,
      has_table_privilege(r.oid, 'rowgate_queue.job', 'insert') as sidecar
      from pg_roles r where rolname = 'rowgate_${database.name}_sidecar_login'`;

    expect(await query(database.superuserUrl, rights)).toEqual([{ open: false, sidecar: true }]);
  });

  test('refuses an argument', async () => {
    expect(await runRowgate(['migrate', 'up'], environment)).toMatchObject({ code: 2 });
  });
});
