import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainQueue, prepareEventQueues } from '../../../server/events/event-queues.ts';
import type { Outcome } from '../../../server/events/worker/outcome.ts';
import { settle } from '../../../server/events/worker/settle.ts';
import { openQueue, type Queue } from '../../../server/queue/open-queue.ts';
import { type EventWorld, makeEventWorld } from './support/event-world.ts';

let world: EventWorld;
let queue: Queue;

beforeAll(async () => {
  world = await makeEventWorld();
  const logger = pino({ level: 'silent' });
  queue = await openQueue({ url: world.login.url, works: false, logger });
  await prepareEventQueues(queue.boss);
});

afterAll(async () => {
  await queue.close();
  await world.close();
});

type Fate = 'delivered' | 'dead';

/**
 * Creates an event that another worker has settled before the worker under test reports its own
 * outcome.
 */
async function settled(fate: Fate): Promise<Outcome['job']> {
  const [id] = await world.fire('one', [{ data: {} }]);
  const { at } = await world.row(
    `update rowgate_events.event set tries = 20,
       delivered_at = case when $2 = 'delivered' then now() end,
       dead_at = case when $2 = 'dead' then now() end,
       dead_reason = case when $2 = 'dead' then 'no more tries' end
     where id = $1 returning created_at::text as at`,
    [id, fate],
  );
  const job = '00000000-0000-4000-8000-000000000001';
  return { id: job, retryCount: 3, data: { id: id ?? '', at }, trigger: 'one' };
}

const answer = { retryAfterMs: undefined, excerpt: '', durationMs: 1, error: undefined };
const attempt = (status: number) => ({ at: new Date(), answer: { ...answer, status } });

test.each<[string, Fate, Omit<Outcome, 'job'>, object]>([
  [
    'stays delivered after the late worker wants to mark it as dead',
    'delivered',
    { kind: 'dead', reason: 'late', attempt: attempt(500) } as Omit<Outcome, 'job'>,
    { delivered: true, dead: false, dead_reason: null },
  ],
  [
    'stays dead after the late worker reports a failed try',
    'dead',
    { kind: 'again', afterMs: 10, attempt: attempt(500) } as Omit<Outcome, 'job'>,
    { delivered: false, dead: true, dead_reason: 'no more tries' },
  ],
  [
    'that was marked as dead becomes delivered after the late worker reports a success',
    'dead',
    { kind: 'taken', attempt: attempt(200) } as Omit<Outcome, 'job'>,
    { delivered: true, dead: false, dead_reason: null },
  ],
])(
  'when two workers settle the same event, an event %s',
  async (_title, fate, outcome, expected) => {
    const job = await settled(fate);
    await settle({ pool: world.pool, queue, name: plainQueue }, [{ ...outcome, job } as Outcome]);
    const found = await world.row(
      `select delivered_at is not null as delivered, dead_at is not null as dead, dead_reason
     from rowgate_events.event where id = $1`,
      [job.data.id],
    );
    expect(found).toEqual(expected);
  },
);
