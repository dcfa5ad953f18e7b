import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import type { Finished } from '../../support/rowgate.ts';
import { type EventWorld, makeEventWorld } from './support/event-world.ts';

let world: EventWorld;
/** The id of one event in each state, by state. */
let ids: Readonly<Record<'pending' | 'failed' | 'delivered' | 'dead', string>>;

beforeAll(async () => {
  world = await makeEventWorld();
});

beforeEach(async () => {
  await world.owner.query('truncate rowgate_events.event, rowgate_events.attempt');
  const [pending = '', failed = '', delivered = '', dead = ''] = await world.fire(
    'order_paid',
    [1, 2, 3, 4].map((amount) => ({ data: { new: { amount } } })),
  );
  ids = { pending, failed, delivered, dead };
  await set(failed, 'relayed_at = now(), tries = 1');
  await set(delivered, 'relayed_at = now(), tries = 2, delivered_at = now()');
  await set(dead, `relayed_at = now(), tries = 3, dead_at = now(), dead_reason = 'no\u001b[2Juse'`);
  await world.owner.query(
    `insert into rowgate_events.attempt select id, created_at, 1, now(), 500, 12, 'out of order', null
     from rowgate_events.event where id = $1`,
    [failed],
  );
});

afterAll(() => world.close());

const set = (id: string, change: string) =>
  world.owner.query(`update rowgate_events.event set ${change} where id = $1`, [id]);

function rowgate(...args: readonly string[]): Promise<Finished> {
  const { ownerUrl } = world.database;
  return runCommand(['events', ...args], { DATABASE_URL: ownerUrl });
}

async function listed(...args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await rowgate('list', '--json', ...args);
  return JSON.parse(stdout).events.map(({ id }: { id: string }) => id);
}

test('rowgate events list shows the newest events first, with their states', async () => {
  const { code, stdout } = await rowgate('list');
  const states = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('  ')[4]);
  expect([code, states]).toEqual([0, ['dead', 'delivered', 'failed', 'pending']]);
});

test('rowgate events list shows the requested number of events', async () => {
  expect(await listed('--limit', '1')).toEqual([ids.dead]);
});

test.each(['pending', 'failed', 'delivered', 'dead'] as const)(
  'rowgate events list shows %s events',
  async (state) => {
    expect(await listed('--state', state)).toEqual([ids[state]]);
  },
);

test('rowgate events list shows only the events of the given trigger', async () => {
  const [other] = await world.fire('other', [{ data: {} }]);
  expect(await listed('--trigger', 'other')).toEqual([other]);
});

test('commands about events work when the database has another date style', async () => {
  const name = (await world.owner.query('select current_database() as name')).rows[0].name;
  await world.owner.query(`alter database "${name}" set datestyle = 'SQL, DMY'`);
  const { code, stdout } = await rowgate('list', '--state', 'dead');
  await world.owner.query(`alter database "${name}" reset datestyle`);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ \d{4}-\d\d-\d\dT/)]);
});

test('rowgate events list reports that there are no events', async () => {
  expect((await rowgate('list', '--trigger', 'none')).stdout).toBe('no events\n');
});

test("rowgate events list removes control characters from a receiver's answer, so that it cannot move the cursor of the terminal", async () => {
  expect((await rowgate('list', '--state', 'dead')).stdout).toContain('no [2Juse');
});

test('rowgate events show lists every try of an event', async () => {
  const { stdout } = await rowgate('show', ids.failed);
  expect(stdout).toMatch(/^state {7}failed$/m);
  expect(stdout).toMatch(/^ {2}1 {2}\S+ {2}500 {2}12 ms {2}out of order$/m);
});

test('rowgate events show --json keeps every digit of the numbers in the data', async () => {
  await set(ids.pending, `data = '{"new": {"amount": 0.12345678901234567890123}}'`);
  const { stdout } = await rowgate('show', ids.pending, '--json');
  expect(stdout).toContain('0.12345678901234567890123');
  expect(JSON.parse(stdout)).toMatchObject({ id: ids.pending, state: 'pending', attempts: [] });
});

test('rowgate events show prints the data of a row completely but escapes control characters for the terminal', async () => {
  await set(ids.pending, `data = '{"new": {"a": "\u009b2J \u202e", "b": "\u{e0001}"}}'`);
  const { stdout } = await rowgate('show', ids.pending);
  expect(stdout).toContain('{"new": {"a": "\\u009b2J \\u202e", "b": "\\udb40\\udc01"}}');
});

test('rowgate events redeliver makes an event pending again', async () => {
  const { code, stdout } = await rowgate('redeliver', ids.delivered);
  expect([code, stdout]).toEqual([0, `event ${ids.delivered} will be delivered again\n`]);
  expect(await listed('--state', 'pending')).toEqual([ids.delivered, ids.pending]);
});

test('rowgate events redeliver refuses an event that is still being delivered', async () => {
  const { code, stderr } = await rowgate('redeliver', ids.failed);
  expect([code, stderr]).toEqual([1, expect.stringContaining('is already being delivered')]);
});

test('rowgate events redeliver --dead makes all dead events pending again', async () => {
  const { stdout } = await rowgate('redeliver', '--dead');
  expect(stdout).toBe('1 event will be delivered again\n');
  expect(await listed('--state', 'dead')).toEqual([]);
});

test('rowgate events redeliver --dead --trigger makes only dead events of that trigger pending again', async () => {
  const { stdout } = await rowgate('redeliver', '--dead', '--trigger', 'other');
  expect(stdout).toBe('0 events will be delivered again\n');
  expect(await listed('--state', 'dead')).toEqual([ids.dead]);
});

test('rowgate events stats counts the events by trigger', async () => {
  const { stdout } = await rowgate('stats', '--json');
  expect(JSON.parse(stdout)).toEqual({
    triggers: [
      {
        trigger: 'order_paid',
        pending: 1,
        failed: 1,
        delivered: 1,
        dead: 1,
        failures: 5,
        oldestSeconds: expect.any(Number),
        pausedAt: null,
      },
    ],
  });
});

test("the sidecar login (of the server's own services) has enough rights for all commands about events", async () => {
  const environment = {
    ROWGATE_GATEWAY_DATABASE_URL: world.login.url,
    ROWGATE_SIDECAR_DATABASE_URL: world.login.url,
  };
  const { code, stderr } = await runCommand(['events', 'redeliver', ids.dead], environment);
  expect([code, stderr]).toEqual([0, '']);
});

test.each([
  ['an unknown state', ['list', '--state', 'lost'], 'the states are pending, delivered'],
  ['a limit that is not a number', ['list', '--limit', 'all'], 'a whole number from 1'],
  ['an argument that is not an id', ['show', '17'], '"17" is not the id of an event'],
  ['no id', ['show'], 'show lacks <id>'],
  ['neither an id nor --dead', ['redeliver'], 'either an id or --dead'],
  [
    'an id and --dead',
    ['redeliver', '00000000-0000-4000-8000-000000000001', '--dead'],
    'either an id',
  ],
])('%s exits as a usage error', async (_title, args, message) => {
  const { code, stderr } = await rowgate(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test.each(['show', 'redeliver'])('%s reports that the event is unknown', async (command) => {
  const { code, stderr } = await rowgate(command, '00000000-0000-4000-8000-000000000001');
  expect([code, stderr]).toEqual([1, expect.stringContaining('there is no event 00000000')]);
});
