import { glob, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateScopes } from '../../../server/db/preparation.ts';
import { unstartedQueue } from '../../../server/db/queue-schema.ts';
import { knownTables } from '../../../server/queue/queue-tables.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  await migrateScopes(await database.connectOwner(), ['gateway']);
});

afterAll(() => database.drop());

test('the queue library pg-boss has the schema version that this server expects', async () => {
  const boss = await unstartedQueue(await database.connectOwner());
  expect(await boss.schemaVersion()).toBe(knownTables.version);
});

test('the job table of pg-boss has the columns and types that this server reads', async () => {
  const names = Object.keys(knownTables.job).join("', '");
  const columns = await query(
    database.ownerUrl,
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = 'rowgate_queue.job'::regclass and attname in ('${names}')`,
  );
  const known = Object.entries(knownTables.job).map(([name, type]) => ({ name, type }));
  expect(new Set(columns)).toEqual(new Set(known));
});

test('the states of a job in pg-boss have the order that this server relies on', async () => {
  const states = await query(
    database.ownerUrl,
    'select unnest(enum_range(null::rowgate_queue.job_state))::text as state',
  );
  expect(states).toEqual(knownTables.states.map((state) => ({ state })));
});

/** Lists the source files whose text matches a pattern. */
async function filesWith(pattern: RegExp, files: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const file of glob(files)) {
    if (pattern.test(await readFile(file, 'utf8'))) found.push(file);
  }
  return found.toSorted();
}

test('only one source file names tables of pg-boss in SQL, and migrations only read these tables', async () => {
  const table =
    /(\$\{\w*[sS]chema\w*\}|rowgate_queue)\.(job|queue|schedule|version|subscription)\b/;
  expect(await filesWith(table, 'server/**/*.ts')).toEqual(['server/queue/queue-tables.ts']);
  const write = /(update|insert\s+into|delete\s+from|truncate)\s+(only\s+)?rowgate_queue\./i;
  expect(await filesWith(write, 'sql/**/*.sql')).toEqual([]);
});
