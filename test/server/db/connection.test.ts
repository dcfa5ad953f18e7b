import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, endpointOf } from '../../../server/db/connection.ts';
import { withDatabase, withLogin } from '../../../server/db/url.ts';
import { ProcessError } from '../../../server/errors.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOldPostgres } from '../../support/old-postgres.ts';
import { vacantPort } from '../../support/rowgate.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database.drop());

async function refusal(url: string): Promise<ProcessError> {
  const outcome = await connect(url).catch((error: unknown) => error);
  if (outcome instanceof ProcessError) return outcome;
  throw new Error(`expected a ProcessError, got ${outcome}`);
}

test('connecting to a port where no server listens fails with exit code 4, and the message names host and port', async () => {
  const port = await vacantPort();
  const error = await refusal(`postgres://me:hunter2@127.0.0.1:${port}/app`);
  expect(error).toMatchObject({ code: 'RG_DATABASE_UNREACHABLE', exitCode: 4 });
  expect(error.message).toBe(
    `cannot connect to database "app" at 127.0.0.1:${port} as "me": connect ECONNREFUSED 127.0.0.1:${port}`,
  );
  expect(error.hint).toBe('start the server, or correct host and port of the URL');
});

test('connecting with a wrong password fails, and the message does not contain the password', async () => {
  const error = await refusal(withLogin(database.ownerUrl, 'rowgate_owner', 'hunter2'));
  expect(error).toMatchObject({ code: 'RG_DATABASE_UNREACHABLE', exitCode: 4 });
  expect(`${error.message} ${error.hint}`).toMatch(/password authentication failed/);
  expect(`${error.message} ${error.hint}`).not.toMatch(/hunter2/);
});

test('connecting to a database that does not exist fails, and the message names the database', async () => {
  const error = await refusal(withDatabase(database.ownerUrl, 'nowhere'));
  expect(error.message).toMatch(/database "nowhere" does not exist/);
  expect(error.hint).toMatch(/create the database/);
});

test('connecting to a server older than Postgres 14 fails', async () => {
  const old = await startOldPostgres();
  const error = await refusal(old.url);
  expect(error).toMatchObject({
    code: 'RG_POSTGRES_TOO_OLD',
    message: 'the database server is Postgres 13.14; rowgate needs 14 or later',
  });
  old.close();
});

test('a connection that breaks while idle fails the next query on it, and the process continues', async () => {
  const victim = await connect(database.ownerUrl);
  const { rows } = await victim.query('select pg_backend_pid() as pid');
  const superuser = await database.connectSuperuser();
  const gone = new Promise((resolve) => victim.once('end', resolve));
  await superuser.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await gone;
  await expect(victim.query('select 1')).rejects.toThrow();
});

test('the address that messages print has the decoded parts of the URL and no password', () => {
  expect(endpointOf('postgres://a%40b:secret@db.example.com:6432/my%20app')).toEqual({
    host: 'db.example.com',
    port: 6432,
    user: 'a@b',
    database: 'my app',
  });
});
