import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../../../support/command-line.ts';
import type { Finished } from '../../../../support/rowgate.ts';
import { CallbackWorld } from './support/callback-world.ts';
import { cardPayload, custodyPayload, logRecord } from './support/payloads.ts';

let world: CallbackWorld;
beforeAll(async () => {
  world = await CallbackWorld.make();
});
afterAll(() => world.end());
afterEach(async () => {
  await world.rows('delete from rowgate_webhooks.inbox');
  await world.rows('delete from rowgate_queue.job');
});

let ids: Readonly<Record<'done' | 'unmatched' | 'malformed' | 'failed', string>>;
beforeEach(async () => {
  const done = await world.take('card', cardPayload());
  const unmatched = await world.take(
    'custody',
    custodyPayload({ walletId: 'cw-\u001b[2J\u009bnone' }),
  );
  await world.post('custody', '{"secret":');
  const malformed = String(
    await world.value(`select id from rowgate_webhooks.inbox where state = 'malformed'`),
  );
  const failed = await world.take('identity', logRecord('failed', 'sapi'));
  await world.rows(
    `update rowgate_webhooks.inbox set state = 'failed', note = 'no luck' where id = $1`,
    [failed.id],
  );
  await world.rows('delete from rowgate_queue.job');
  ids = { done: done.id, unmatched: unmatched.id, malformed, failed: failed.id };
});

const rowgate = (...args: readonly string[]): Promise<Finished> =>
  runCommand(['callbacks', ...args], { DATABASE_URL: world.database.ownerUrl });

async function listed(...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await rowgate('list', '--json', ...args);
  return JSON.parse(stdout).callbacks.map(({ id }: { readonly id: string }) => id);
}

const jobs = () =>
  world.rows(`select data ->> 'id' as id from rowgate_queue.job where name = 'callbacks'`);

describe('rowgate callbacks list', () => {
  test('shows the newest callbacks first, and which missing object a callback waits for', async () => {
    const { code, stdout } = await rowgate('list');
    const lines = stdout.trim().split('\n');
    expect(code).toBe(0);
    expect(lines.map((line) => line.split('  ').slice(2, 4))).toEqual([
      ['identity', 'failed'],
      ['custody', 'malformed'],
      ['custody', 'unmatched'],
      ['card', 'done'],
    ]);
    expect(lines[2]).toContain('waits for wallet/cw-?[2J?none  no wallet has this walletId');
    expect(stdout).not.toContain('\u001b');
  });

  test.each([[['list', '--json']], [['list']]])(
    '%j prints no control characters from a callback',
    async (args) => {
      const { stdout } = await rowgate(...args);
      expect(stdout).toContain('wallet/cw-');
      expect(stdout).not.toMatch(/[^\n\P{Cc}]/u);
    },
  );

  test('filters by provider, by state or by both, and limits the number', async () => {
    expect(await listed('--provider', 'custody')).toEqual([ids.malformed, ids.unmatched]);
    expect(await listed('--state', 'failed')).toEqual([ids.failed]);
    expect(await listed('--state', 'unmatched', '--provider', 'custody')).toEqual([ids.unmatched]);
    expect(await listed('--state', 'unmatched', '--provider', 'card')).toEqual([]);
    expect(await listed('--limit', '1')).toEqual([ids.failed]);
  });

  test.each([
    [['--provider', 'bank'], '--provider is "bank"'],
    [['--state', 'lost'], '--state is "lost"'],
    [['--limit', '0'], '--limit is "0"'],
  ])('refuses the arguments %j', async (args, problem) => {
    expect(await rowgate('list', ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(problem),
    });
  });
});

describe('rowgate callbacks show', () => {
  test('prints the payload with all digits, and masks secrets in it', async () => {
    const text = JSON.stringify(
      custodyPayload({
        walletId: 'cw-none',
        transfer: 'shown',
        more: { apiKey: 'sesame', list: [{ access_token: { deep: 'sesame' } }] },
        amount: 0,
      }),
    );
    const { id } = await world.take(
      'custody',
      text.replace('"amount":0', '"amount":1.000000000000000001'),
    );
    const [shown, json] = [await rowgate('show', id), await rowgate('show', id, '--json')];
    for (const { code, stdout } of [shown, json]) {
      expect(code).toBe(0);
      expect(stdout).toContain('1.000000000000000001');
      expect(stdout).not.toContain('sesame');
    }
    expect(JSON.parse(json.stdout)).toMatchObject({
      id,
      provider: 'custody',
      state: 'unmatched',
      awaits: 'wallet/cw-none',
      note: 'no wallet has this walletId',
      payload: { transfer: 'shown', more: { apiKey: '[secret]' } },
    });
  });

  test('prints why a body was invalid, without the body', async () => {
    const { stdout } = await rowgate('show', ids.malformed);
    expect(stdout).toContain('note        the body is not valid JSON');
    expect(stdout).toContain('the body of 10 bytes is invalid');
  });

  test('refuses an invalid id and reports an unknown one', async () => {
    expect(await rowgate('show', 'x')).toMatchObject({ code: 2 });
    const none = '00000000-0000-4000-8000-000000000000';
    expect((await rowgate('show', none)).stderr).toContain(`there is no callback with the id`);
  });
});

describe('rowgate callbacks retry', () => {
  test('processes one callback again', async () => {
    const { code, stdout } = await rowgate('retry', ids.unmatched);
    expect([code, stdout]).toEqual([
      0,
      `callback ${ids.unmatched} is processed as soon as a worker runs\n`,
    ]);
    expect(await world.callback(ids.unmatched)).toMatchObject({ state: 'stored', note: null });
    expect(await jobs()).toEqual([{ id: ids.unmatched }]);
    await world.process(ids.unmatched);
    expect(await world.callback(ids.unmatched)).toMatchObject({ state: 'unmatched' });
  });

  test('processes again all callbacks in a state, or only those of one provider', async () => {
    expect((await rowgate('retry', '--state', 'failed', '--provider', 'card')).stdout).toBe(
      '0 callbacks are processed as soon as a worker runs\n',
    );
    expect((await rowgate('retry', '--state', 'failed')).stdout).toBe(
      '1 callback is processed as soon as a worker runs\n',
    );
    expect(await jobs()).toEqual([{ id: ids.failed }]);
    expect(await world.callback(ids.unmatched)).toMatchObject({ state: 'unmatched' });
  });

  test('refuses callbacks that were processed and callbacks with an invalid body', async () => {
    expect(await rowgate('retry', ids.done)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was processed; it is not processed twice'),
    });
    expect(await rowgate('retry', ids.malformed)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is malformed: the body is not valid JSON'),
    });
    expect(await jobs()).toEqual([]);
  });

  test.each([
    [[]],
    [['--state', 'done']],
    [['--provider', 'card']],
    [['00000000-0000-4000-8000-000000000000', '--state', 'failed']],
  ])('refuses the arguments %j', async (args) => {
    expect(await rowgate('retry', ...args)).toMatchObject({ code: 2 });
    expect(await jobs()).toEqual([]);
  });
});

test('rowgate help lists the commands about callbacks', async () => {
  const { stdout } = await runCommand(['help', 'callbacks']);
  expect(stdout).toMatch(/callbacks list .*\n.*callbacks show .*\n.*callbacks retry /);
});
