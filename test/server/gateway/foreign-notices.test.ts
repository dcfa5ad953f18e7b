import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withLogin } from '../../../server/db/url.ts';
import { makeLogger } from '../../../server/log/log.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { query } from '../../support/query.ts';

const schema = `create table color (value text primary key); insert into color values ('red');
create table fund (id int primary key, color text references color)`;

const nothingNew = 'a notice of changed rules was unnecessary';
const reloaded = 'reloaded the metadata';
const failed = 'the old rules stay in force';

let database: TestDatabase;
let metadata: string;
let server: TestServer;
/** A login whose only right is connecting to the database. */
let stranger: pg.Client;
const log = new LogCapture();

beforeAll(async () => {
  database = await createDatabase();
  await query(database.ownerUrl, schema);
  metadata = await makeDataFolder();
  await mkdir(path.join(metadata, 'tables'));
  await writeFile(path.join(metadata, 'roles.yaml'), 'roles: { reader: {} }\n');
  await writeFile(path.join(metadata, 'tables/color.yaml'), 'table: color\nis_enum: true\n');
  await writeFile(
    path.join(metadata, 'tables/fund.yaml'),
    'table: fund\npermissions: { reader: { select: { filter: {}, columns: [id, color] } } }\n',
  );
  const logger = makeLogger({ logLevel: 'debug', headerPrefix: 'X-Gql-' }, log);
  server = await startTestServer({ database, metadata, logger });
  const login = `stranger_${database.name}`;
  await query(database.superuserUrl, `create role ${login} login password 'strange'`);
  stranger = new pg.Client(withLogin(database.ownerUrl, login, 'strange'));
  await stranger.connect();
  // When the server begins to listen, it checks whether it has missed a notice. The tests wait for that check, so that
  // they do not count it.
  await log.lineWith(nothingNew);
});
afterAll(async () => {
  await stranger.end();
  await query(database.superuserUrl, `drop role stranger_${database.name}`);
  await server.stop();
  await removeFolders();
  await database.drop();
});

beforeEach(() => log.forget());

/** Sends a notice and waits until the server has handled it. */
async function strangerSends(payload: string): Promise<void> {
  log.forget();
  await stranger.query("select pg_notify('rowgate_applied', $1)", [payload]);
  await log.lineWith(nothingNew);
}

describe('a notice on the channel of `apply`, from a login without rights in the database,', {
  shuffle: false,
}, () => {
  test.each(['', 'enum', 'something else'])(
    'with the payload %j causes no reload of the rules',
    async (payload) => {
      await strangerSends(payload);
      expect(log.text).not.toContain(reloaded);
    },
  );

  test('does not stop the server from reloading after a real apply, even one without changes', async () => {
    await stranger.query('notify rowgate_applied');
    await server.apply(metadata);
    await log.lineWith(reloaded);
  });

  test('does not stop the server from reloading after a new enum value, and causes no reload itself', async () => {
    await query(database.ownerUrl, "insert into color values ('blue')");
    await log.lineWith(reloaded);
    await strangerSends('enum');
    expect(log.text).not.toContain(reloaded);
  });

  test('causes no second attempt at a reload that has failed', async () => {
    const roles = path.join(metadata, 'roles.yaml');
    const good = await readFile(roles, 'utf8');
    const applied = await makeDataFolder();
    await mkdir(path.join(applied, 'tables'));
    await writeFile(path.join(applied, 'roles.yaml'), 'roles: { another: {} }\n');
    await appendFile(roles, '  broken: [\n');
    await server.apply(applied);
    await log.lineWith(failed);
    await query(database.ownerUrl, "insert into color values ('green')");
    for (const payload of ['', 'enum']) {
      await strangerSends(payload);
      expect(log.text).not.toContain(failed);
    }
    expect((await server.fetch('/readyz')).status).toBe(503);
    await writeFile(roles, good);
    await server.apply(metadata);
    await log.lineWith(reloaded);
    expect((await server.fetch('/readyz')).status).toBe(200);
  });
});
