import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeLogger } from '../../../../../server/log/log.ts';
import { deadCallbackQueue } from '../../../../../server/platform/webhooks/callbacks/callback-queue.ts';
import { LogCapture } from '../../../../support/log-capture.ts';
import { compileCache } from '../../../../support/rowgate.ts';
import { wakeQueue } from '../../../../support/wake-queue.ts';
import { CallbackWorld, type Sender } from './support/callback-world.ts';
import { cardPayload, custodyPayload, kycPayload, logRecord } from './support/payloads.ts';

const card = 'c0000000-0000-4000-8000-000000000101';

let world: CallbackWorld;
beforeEach(async () => {
  world = await CallbackWorld.make();
});
afterEach(() => world.end());

async function idOf(response: Response): Promise<string> {
  expect(response.status).toBe(202);
  return ((await response.json()) as { readonly id: string }).id;
}

const balance = () => world.value('select balance::text from public.card where id = $1', [card]);

/** Waits until this many database connections wait for a lock, and returns their process ids. */
function waiting(name: string): Promise<readonly number[]> {
  return vi.waitFor(
    async () => {
      const rows = await world.rows<{ readonly pid: number }>(
        `select pid from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and application_name = $1`,
        [name],
      );
      expect(rows).toHaveLength(1);
      return rows.map(({ pid }) => pid);
    },
    { timeout: 20_000, interval: 50 },
  );
}

/** Locks the row of the card. The returned function releases the lock. */
async function holdCard(): Promise<() => Promise<unknown>> {
  const holder = await world.database.connectSuperuser();
  await holder.query('begin');
  await holder.query('select from public.card where id = $1 for update', [card]);
  return () => holder.query('commit');
}

const chains: readonly (readonly [Sender, object, string, unknown])[] = [
  [
    'custody',
    custodyPayload({ amount: '1.5' }),
    `select trim_scale(balance)::text from public.digital_wallet where custody_wallet_id = 'cw-dogwood-1'`,
    '9.5',
  ],
  ['card', cardPayload(), `select balance::text from public.card where id = '${card}'`, '1209.06'],
  [
    'kyc',
    kycPayload(),
    `select status from public.kyc_profile where user_id = 'local|alder-member'`,
    'approved',
  ],
  [
    'identity',
    logRecord('chain', 's'),
    `select kind from public.login_event where log_id = 'chain'`,
    'login',
  ],
];

test.each(chains)(
  '%s: a worker processes a stored callback, which has its effect',
  async (sender, payload, question, answer) => {
    await world.work();
    const callback = await world.settled(await idOf(await world.post(sender, payload)));
    expect(callback).toMatchObject({ state: 'done', note: null });
    expect(await world.value(question)).toBe(answer);
  },
);

test('a callback that was stored while no worker ran has its effect once one starts', async () => {
  const id = await idOf(await world.post('card', cardPayload()));
  expect((await world.callback(id)).state).toBe('stored');
  await world.work();
  expect((await world.settled(id)).state).toBe('done');
  expect(await balance()).toBe('1209.06');
});

test('a callback about an unknown event is accepted and has no effect', async () => {
  await world.work();
  const id = await idOf(await world.post('card', cardPayload({ eventType: 'CARD_SANG' })));
  expect(await world.settled(id)).toMatchObject({ state: 'ignored' });
  expect(await balance()).toBe('1234.56');
});

test('twenty copies of a callback at the same time have one effect with two workers', async () => {
  await Promise.all([world.work(), world.work()]);
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => world.post('card', cardPayload())),
  );
  const ids = new Set(await Promise.all(responses.map(idOf)));
  expect(ids.size).toBe(1);
  for (const id of ids) await world.settled(id);
  expect(await balance()).toBe('1209.06');
});

test('a hundred payments at the same time are each counted by two workers', async () => {
  await Promise.all([world.work(), world.work()]);
  const ids = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const payload = cardPayload({ amount: 1.01, transactionId: `p-${n}` });
      return idOf(await world.post('card', payload));
    }),
  );
  for (const id of ids) await world.settled(id);
  expect(await balance()).toBe('1133.56');
});

describe('a callback has its effect only once', () => {
  test('when its job runs a second time', async () => {
    const queue = await world.work();
    const id = await idOf(await world.post('card', cardPayload()));
    await world.settled(id);
    const again = await queue.boss.send('callbacks', { id });
    await vi.waitFor(async () => {
      const [job] = await queue.boss.findJobs('callbacks', { id: String(again) });
      expect(job?.state).toBe('completed');
    }, 20_000);
    expect(await balance()).toBe('1209.06');
  });

  test('when the database connection breaks during the effect', async () => {
    await world.work();
    const release = await holdCard();
    const id = await idOf(await world.post('card', cardPayload()));
    const [pid] = await waiting('rowgate sidecar');
    await world.rows('select pg_terminate_backend($1)', [pid]);
    await release();
    await vi.waitFor(async () => {
      expect((await world.callback(id)).note).toMatch(/terminat/);
    }, 20_000);
    expect(await balance()).toBe('1234.56');
    await vi.waitFor(async () => {
      await world.hurry();
      expect(await world.callback(id)).toMatchObject({ state: 'done', note: null });
    }, 20_000);
    expect(await balance()).toBe('1209.06');
  });

  test('when the process of the worker is killed during the effect', async () => {
    const script = path.join(import.meta.dirname, 'support/worker-process.ts');
    const doomed = spawn(process.execPath, [script, world.url], {
      stdio: 'ignore',
      env: compileCache(),
    });
    const ended = once(doomed, 'exit');
    const release = await holdCard();
    const id = await idOf(await world.post('card', cardPayload()));
    await waiting('doomed worker');
    doomed.kill('SIGKILL');
    await ended;
    await release();
    // Makes the heartbeats of the killed worker look old, so that the queue gives its job to
    // another worker.
    await world.rows(
      `update rowgate_queue.job set heartbeat_on = now() - interval '1 hour' where name = 'callbacks'`,
    );
    const queue = await world.work();
    await vi.waitFor(async () => {
      await queue.boss.supervise('callbacks');
      await world.hurry();
      expect((await world.callback(id)).state).toBe('done');
    }, 30_000);
    expect(await balance()).toBe('1209.06');
  });
});

describe('a callback whose processing fails', () => {
  const hopeless = cardPayload({ eventType: 'TRANSACTION_REVERSED', merchantName: 'Never paid' });

  test('is tried again, and `rowgate callbacks list` shows the reason', async () => {
    const queue = await world.work();
    const id = await idOf(await world.post('card', hopeless));
    await vi.waitFor(async () => {
      expect(await world.callback(id)).toMatchObject({
        state: 'stored',
        note: 'there is no payment to reverse yet',
      });
    }, 20_000);
    // The callback is updated before its job is, so the test waits for both.
    await expect
      .poll(() => queue.boss.findJobs('callbacks', { data: { id } }))
      .toMatchObject([{ state: 'retry', retryLimit: 30, retryBackoff: true }]);
  });

  test('fails for good after the last try, and stays in the list', async () => {
    const lines = new LogCapture();
    const queue = await world.work(makeLogger(world.config, lines));
    // A starting worker sets the options of the queues. The test waits for a first callback, so
    // that its own option is set later.
    await world.settled(await idOf(await world.post('card', cardPayload())));
    await queue.boss.updateQueue('callbacks', { retryLimit: 0 });
    const id = await idOf(await world.post('card', hopeless));
    await vi.waitFor(
      async () => {
        await wakeQueue(world.owner, deadCallbackQueue);
        expect(await world.callback(id)).toMatchObject({
          state: 'failed',
          note: 'there is no payment to reverse yet',
        });
      },
      { timeout: 20_000, interval: 100 },
    );
    expect(await lines.lineWith('gave up on a callback')).toMatchObject({
      level: 'error',
      callback: id,
    });
  });
});
