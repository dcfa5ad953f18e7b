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

  test('refuses an argument', async () => {
    expect(await runRowgate(['migrate', 'up'], environment)).toMatchObject({ code: 2 });
  });
});
