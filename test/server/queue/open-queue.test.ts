import type pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateScopes } from '../../../server/db/preparation.ts';
import { withTransaction } from '../../../server/db/with-transaction.ts';
import { openQueue, type Queue, within } from '../../../server/queue/open-queue.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { openPool } from '../../support/open-pool.ts';
import { until } from '../../support/until.ts';

const logger = pino({ level: 'silent' });
let database: TestDatabase;
let pool: pg.Pool;
let queue: Queue;

beforeAll(async () => {
  database = await createDatabase();
  await migrateScopes(await database.connectOwner(), ['gateway']);
  pool = openPool({ connectionString: database.ownerUrl });
  queue = await openQueue({ url: database.ownerUrl, works: true, superviseSeconds: 1, logger });
  await queue.boss.createQueue('errands');
});

afterAll(async () => {
  await queue.close();
  await pool.end();
  await database.drop();
});

const send = (name: string, fails = false) =>
  withTransaction(pool, async (client) => {
    await queue.boss.send('errands', { name }, within(client));
    if (fails) throw new Error('changed my mind');
  });

test('a job that is queued in a transaction exists after the commit', async () => {
  await send('kept');
  expect(await queue.boss.findJobs('errands', { data: { name: 'kept' } })).toHaveLength(1);
});

test('a job that is queued in a transaction does not exist after a rollback', async () => {
  await send('dropped', true).catch(() => {});
  expect(await queue.boss.findJobs('errands', { data: { name: 'dropped' } })).toEqual([]);
});

test('a job whose worker sends no heartbeat is given to another worker', async () => {
  await queue.boss.createQueue('watched');
  await queue.boss.insert('watched', [{ data: {}, heartbeatSeconds: 1 }]);
  const [lost] = await queue.boss.fetch('watched');
  const again = async () => (await queue.boss.fetch('watched'))[0];
  expect(await until(again)).toMatchObject({ id: lost?.id, retryCount: 1 });
});

test('the queue fails to open on a database without its tables, and names the command that creates them', async () => {
  const empty = await createDatabase();
  const opening = openQueue({ url: empty.ownerUrl, works: false, logger });
  await expect(opening).rejects.toMatchObject({
    code: 'RG_NOT_PREPARED',
    hint: 'run `rowgate migrate` first',
  });
  await empty.drop();
});
