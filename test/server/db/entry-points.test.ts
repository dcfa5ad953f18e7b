import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { resolveLogin } from '../../../server/db/logins/logins.ts';
import { prepareSidecarLogin } from '../../../server/db/logins/sidecar-login.ts';
import { platformGrants } from '../../../server/platform/grants.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';

const root = path.resolve(import.meta.dirname, '../../..');

let database: TestDatabase;
let login: string;
beforeAll(async () => {
  database = await createDatabase({ from: 'platform' });
  const { config } = parseConfig(
    { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: await makeDataFolder() },
    '/',
  );
  const sidecar = await resolveLogin(config, database.ownerUrl, 'sidecar');
  await prepareSidecarLogin(await database.connectOwner(), sidecar, platformGrants);
  login = sidecar.name;
});
afterAll(async () => {
  await database.drop();
  await removeFolders();
});

async function functions(where: string): Promise<readonly string[]> {
  const rows = await query(
    database.superuserUrl,
    `select n.nspname || '.' || p.proname as name
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('rowgate_webhooks', 'rowgate_mail', 'rowgate_jobs') and ${where} order by 1`,
  );
  return (rows as readonly { readonly name: string }[]).map(({ name }) => name);
}

test("the sidecar login (of the server's own services) may call exactly the database functions that the server calls", async () => {
  const sources = globSync('server/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('db/entry-points.ts'),
  );
  const texts = sources.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  const called = new Set(texts.match(/rowgate_(webhooks|mail|jobs)\.\w+/g));
  const all = await functions('true');
  const cleaning = await functions("p.proname ~ '^clean(_|$)'");

  expect(await functions(`has_function_privilege('${login}', p.oid, 'execute')`)).toEqual(
    all.filter((name) => called.has(name) || cleaning.includes(name)),
  );
});

test('no other role may call any of the database functions for the sidecar login', async () => {
  expect(await functions("has_function_privilege('public', p.oid, 'execute')")).toEqual([]);
});
