import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateScopes } from '../../../server/db/preparation.ts';
import { withLogin } from '../../../server/db/url.ts';
import { openQueue, type Queue } from '../../../server/queue/open-queue.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { until } from '../../support/until.ts';

/**
 * The names from which pg-boss derives the keys of its advisory locks. It adds the names of the
 * database and the schema.
 */
const subjects = [
  ...['', 'create-queue', 'delete-queue', 'queue-stats', 'queue-stats-insert'],
  ...['job_commonfailJobsByTimeout', 'job_commonfailJobsByHeartbeat', 'job_commondeletion'],
  'job_commoncleanupDependencies',
];

const logger = pino({ level: 'silent' });
let database: TestDatabase;
let queue: Queue;
/** A login whose only right is connecting to the database. */
let stranger: pg.Client;

beforeAll(async () => {
  database = await createDatabase();
  await migrateScopes(await database.connectOwner(), ['gateway']);
  const login = `stranger_${database.name}`;
  await query(database.superuserUrl, `create role ${login} login password 'strange'`);
  stranger = new pg.Client(withLogin(database.ownerUrl, login, 'strange'));
  await stranger.connect();
  await stranger.query(
    `select pg_advisory_lock(('x' || encode(sha224(
       (current_database() || '.pgboss.rowgate_queue' || subject)::bytea), 'hex'))::bit(64)::bigint)
     from unnest($1::text[]) subject`,
    [subjects],
  );
  queue = await openQueue({ url: database.ownerUrl, works: true, superviseSeconds: 1, logger });
});

afterAll(async () => {
  await stranger.end();
  await queue.close();
  await query(database.superuserUrl, `drop role stranger_${database.name}`);
  await database.drop();
});

test.each([
  ['whose worker sends no heartbeat', 'silent', { heartbeatSeconds: 1 }],
  ['whose time limit has passed', 'late', { expireInSeconds: 1 }],
])(
  'a job %s is tried again although another login holds all advisory locks of the queue',
  async (_, name, job) => {
    await queue.boss.createQueue(name);
    await queue.boss.insert(name, [{ data: {}, ...job }]);
    const [lost] = await queue.boss.fetch(name);
    const again = async () => (await queue.boss.fetch(name))[0];
    expect(await until(again)).toMatchObject({ id: lost?.id, retryCount: 1 });
  },
);

test('finished jobs are deleted although another login holds all advisory locks of the queue', async () => {
  await queue.boss.createQueue('done', { deleteAfterSeconds: 1 });
  const id = await queue.boss.send('done', {});
  await queue.boss.fetch('done');
  await queue.boss.complete('done', id ?? '');
  await query(
    database.ownerUrl,
    "update rowgate_queue.job set completed_on = completed_on - interval '1 hour' where name = 'done'",
    "update rowgate_queue.queue set maintain_on = null where name = 'done'",
  );
  await until(async () => (await queue.boss.findJobs('done')).length === 0);
});

test('schedules are processed although another login holds all advisory locks of the queue', async () => {
  await queue.boss.createQueue('timed');
  const cronPassed = await query(database.ownerUrl, 'select cron_on from rowgate_queue.version');
  await queue.boss.schedule('timed', '* * * * *');
  await until(async () => {
    const [now] = await query(database.ownerUrl, 'select cron_on from rowgate_queue.version');
    return JSON.stringify([now]) !== JSON.stringify(cronPassed);
  });
});
