import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { endPrograms } from '../../support/program.ts';
import { captureThings, startWorkerBeside, startWorkerProcess } from './support/captured-things.ts';
import { type EventWorld, makeEventWorld } from './support/event-world.ts';
import { type Receiver, startReceiver, take } from './support/receiver.ts';

let world: EventWorld;
let metadata: string;
let receiver: Receiver;
let survivor: { close(): Promise<void> } | undefined;

beforeAll(async () => {
  world = await makeEventWorld();
  metadata = await captureThings(world);
});

beforeEach(async () => {
  receiver = await startReceiver();
  await world.owner.query('truncate public.thing, rowgate_events.event, rowgate_events.attempt');
});

afterEach(async () => {
  await survivor?.close();
  await endPrograms();
  await receiver.close();
});

afterAll(() => world.close());

const start = () => startWorkerProcess(world, metadata, receiver.url);
const startSurvivor = async () => {
  survivor = await startWorkerBeside(world, metadata, receiver.url);
};
const isOpen = 'delivered_at is null and dead_at is null';
const allDelivered = () =>
  world.row(`select where not exists (select from rowgate_events.event where ${isOpen})`);

test('after a worker is killed, another worker delivers its events', async () => {
  receiver.react = () => {};
  const first = await start();
  await world.owner.query('insert into public.thing select n, 1 from generate_series(1, 30) n');
  await receiver.count(30);
  await first.end('SIGKILL');
  receiver.react = take;
  await startSurvivor();
  await allDelivered();
  const { rows } = await world.owner.query(
    'select count(*)::integer as events, sum(tries)::integer as tries from rowgate_events.event',
  );
  expect(rows).toEqual([{ events: 30, tries: 30 }]);
});

test('an ordered event whose worker dies at each try becomes dead, and later events with the same key are delivered', async () => {
  await world.owner.query('insert into public.thing values (1, 1)');
  await world.owner.query('update public.thing set step = 1');
  await world.owner.query('update public.thing set step = 2');
  receiver.react = () => {};
  const first = await start();
  await receiver.count(2);
  await first.end('SIGKILL');
  await world.owner.query('update rowgate_queue.job set retry_limit = 0');
  receiver.react = take;
  await startSurvivor();
  await allDelivered();
  const { rows } = await world.owner.query(
    `select data -> 'new' ->> 'step' as step, dead_at is not null as dead, dead_reason
     from rowgate_events.event where trigger = 'thing_moved' order by place`,
  );
  expect(rows).toEqual([
    { step: '1', dead: true, dead_reason: expect.stringContaining('every worker that tried') },
    { step: '2', dead: false, dead_reason: null },
  ]);
});

test('two workers, one of them killed, deliver 400 changes without loss and in order for each key', async () => {
  const taken: { id: number; owner: number; step: number }[] = [];
  let turn = 0;
  receiver.react = (response, { path, event }) => {
    turn += 1;
    if (turn % 7 === 0) return response.writeHead(503, { 'retry-after': '0' }).end();
    if (path === '/moved') taken.push(event.event.data.new);
    response.end();
  };
  const [first] = await Promise.all([start(), startSurvivor()]);
  await world.owner.query(
    'insert into public.thing select n, n % 20 from generate_series(1, 200) n',
  );
  const others = await Promise.all(Array.from({ length: 4 }, () => world.database.connectOwner()));
  // Four writers change rows of different owners at the same time, so that events with different
  // keys alternate.
  await Promise.all(
    others.map(async (client, lane) => {
      for (let step = 1; step <= 10; step += 1) {
        await client.query('update public.thing set step = $1 where id <= 20 and owner % 4 = $2', [
          step,
          lane,
        ]);
      }
    }),
  );
  await receiver.count(150);
  await first.end('SIGKILL');
  await allDelivered();
  const arrived = new Set(receiver.received.map(({ event }) => event.id));
  const { rows } = await world.owner.query('select id from rowgate_events.event');
  expect(rows.filter(({ id }) => !arrived.has(id))).toEqual([]);
  expect(rows.length).toBe(400);
  const steps = Map.groupBy(taken, ({ owner }) => owner);
  const disordered = [...steps].filter(([, own]) => {
    const firsts = [...new Set(own.map(({ step }) => step))];
    return firsts.join() !== firsts.toSorted((a, b) => a - b).join();
  });
  expect([steps.size, disordered]).toEqual([20, []]);
});
