import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { openSidecarPool } from '../../../server/db/logins/sidecar-pool.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { asSuperuser } from '../../support/superuser.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test("a connection of the sidecar login (of the server's own services) that breaks in use fails its next query, and the pool serves later queries", async () => {
  const { config } = parseConfig({}, '/');
  const pool = openSidecarPool(database.ownerUrl, { config, logger: pino({ level: 'silent' }) });
  const lent = await pool.connect();
  const broken = new Promise((resolve) => lent.once('end', resolve));
  const { rows } = await lent.query('select pg_backend_pid() as pid');
  await asSuperuser(`select pg_terminate_backend(${rows[0].pid})`);
  await broken;
  await expect(lent.query('select 1')).rejects.toThrow('not queryable');
  lent.release(true);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});
