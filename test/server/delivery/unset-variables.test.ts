import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateScopes } from '../../../server/db/preparation.ts';
import { makeLogger } from '../../../server/log/log.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/http.ts';
import { LogCapture } from '../../support/log-capture.ts';

let database: TestDatabase;
let metadata: string;

beforeAll(async () => {
  database = await createDatabase();
  const owner = await database.connectOwner();
  await migrateScopes(owner, ['gateway']);
  await owner.query('create table public.note (id int primary key)');
  metadata = await makeDataFolder();
  await mkdir(path.join(metadata, 'tables'));
  await writeFile(path.join(metadata, 'roles.yaml'), 'roles: {}\n');
  await writeFile(
    path.join(metadata, 'tables/note.yaml'),
    `table: note
events:
  note_insert:
    operations: [insert]
    webhook: '{{NOTES_URL}}/{{SET}}'
    headers: { Authorization: 'Bearer {{NOTES_TOKEN}}' }
`,
  );
});
afterAll(async () => {
  await database.drop();
  await removeFolders();
});

test('a worker warns of unset environment variables of webhooks at its start and after an apply', async () => {
  const log = new LogCapture();
  const logger = makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log);
  const environment = { SET: 'notes' };
  const server = await startTestServer({ database, metadata, worker: true, environment, logger });
  const event = `${metadata}/tables/note.yaml:3: the event trigger "note_insert" needs`;
  expect(messagesIn(log)).toEqual([
    `${event} NOTES_URL, which is not set`,
    `${event} NOTES_TOKEN, which is not set`,
  ]);
  await writeFile(
    path.join(metadata, 'cron.yaml'),
    "digest: { schedule: '0 8 * * *', webhook: '{{DIGEST_URL}}' }\n",
  );
  await server.apply(metadata);
  expect(await log.lineWith('DIGEST_URL')).toMatchObject({
    level: 'warn',
    msg: `${metadata}/cron.yaml:1: the schedule "digest" needs DIGEST_URL, which is not set`,
  });
  await server.stop();
});

function messagesIn(log: LogCapture): readonly string[] {
  const lines = log.text.trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as { readonly msg: string });
  return entries.map(({ msg }) => msg).filter((message) => message.includes('which is not set'));
}
