import { once } from 'node:events';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../support/until.ts';
import type { Gateway } from '../support/gateway.ts';
import { older, RawSocket } from '../websocket/support/raw-socket.ts';
import { memberOf, metadata, openSocket, startTenants, subscribe } from './support/tenants.ts';

let gateway: Gateway;
let owner: pg.Client;
const sockets: RawSocket[] = [];
beforeAll(async () => {
  gateway = await startTenants();
  owner = await gateway.database.connectOwner();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.end();
  await owner.query('delete from item where id > 2; delete from note');
});
afterAll(async () => {
  await owner.end();
  await gateway.stop();
});

async function open(org: number): Promise<RawSocket> {
  const socket = await openSocket(gateway.url, org);
  sockets.push(socket);
  return socket;
}

const items = 'subscription { item(order_by: { id: asc }) { id name } }';
const next = (id: string, data: unknown) => ({ id, type: 'next', payload: { data } });
const names = ({ payload }: { payload: { data: { item: { name: string }[] } } }) =>
  payload.data.item.map(({ name }) => name);

describe('a live query', () => {
  test('reaches only the members of the tenant whose rows have changed', async () => {
    const [first, second] = [await open(1), await open(2)];
    first.send(subscribe('a', items));
    second.send(subscribe('b', items));
    expect(await first.next()).toEqual(next('a', { item: [{ id: 1, name: 'one' }] }));
    expect(await second.next()).toEqual(next('b', { item: [{ id: 2, name: 'two' }] }));
    await owner.query(`insert into item values (3, 1, 'three')`);
    expect(names(await first.next())).toEqual(['one', 'three']);
    await owner.query(`insert into item values (4, 2, 'four')`);
    expect(names(await second.next())).toEqual(['two', 'four']);
    expect([first.received.length, second.received.length]).toEqual([3, 3]);
  });

  test('no longer shows a row that was deleted, or that has gone to another tenant', async () => {
    const socket = await open(1);
    socket.send(subscribe('a', items));
    await socket.next();
    await owner.query(`insert into item values (3, 1, 'three')`);
    expect(names(await socket.next())).toEqual(['one', 'three']);
    await owner.query('update item set org = 2 where id = 3');
    expect(names(await socket.next())).toEqual(['one']);
    await owner.query('update item set org = 1 where id = 3');
    expect(names(await socket.next())).toEqual(['one', 'three']);
    await owner.query('delete from item where id = 3');
    expect(names(await socket.next())).toEqual(['one']);
  });

  test('shows aggregates, and rows by their key', async () => {
    const socket = await open(1);
    socket.send(subscribe('a', 'subscription { item_aggregate { aggregate { count } } }'));
    expect(await socket.next()).toEqual(next('a', { item_aggregate: { aggregate: { count: 1 } } }));
    socket.send(subscribe('k', 'subscription { item_by_pk(id: 7) { name } }'));
    expect(await socket.next()).toEqual(next('k', { item_by_pk: null }));
    await owner.query(`insert into item values (7, 1, 'seven')`);
    const both = [await socket.next(), await socket.next()];
    expect(both).toContainEqual(next('a', { item_aggregate: { aggregate: { count: 2 } } }));
    expect(both).toContainEqual(next('k', { item_by_pk: { name: 'seven' } }));
  });

  test('shows what the same server has written', async () => {
    const socket = await open(1);
    socket.send(subscribe('a', items));
    await socket.next();
    const insert = 'mutation { insert_item_one(object: { id: 5, org: 1, name: "five" }) { id } }';
    await gateway.ask(insert, { role: 'member', variables: { Org: '1' } });
    expect(names(await socket.next())).toEqual(['one', 'five']);
  });

  test('ends without further messages after the client has completed it', async () => {
    const socket = await open(1);
    socket.send(subscribe('a', items));
    await socket.next();
    socket.send({ type: 'complete', id: 'a' });
    socket.send(subscribe('a', 'subscription { item_aggregate { aggregate { count } } }'));
    await socket.next();
    await owner.query(`insert into item values (3, 1, 'three')`);
    expect(await socket.next()).toEqual(next('a', { item_aggregate: { aggregate: { count: 2 } } }));
  });

  test('is sent by the older protocol as data, until the client stops it', async () => {
    const socket = await openSocket(gateway.url, 1, { protocols: [older] });
    sockets.push(socket);
    await socket.next();
    socket.send({ type: 'start', id: '1', payload: { query: items } });
    expect(await socket.next()).toMatchObject({ id: '1', type: 'data' });
    await owner.query(`insert into item values (3, 1, 'three')`);
    expect(names(await socket.next())).toEqual(['one', 'three']);
    socket.send({ type: 'stop', id: '1' });
    socket.send({ type: 'start', id: '2', payload: { query: '{ __typename }' } });
    expect(await socket.next()).toMatchObject({ id: '2' });
  });

  test('of a table that is not live is polled', async () => {
    const polled = await gateway.beside({
      subscriptions: { ...gateway.config.subscriptions, pollMs: 50 },
    });
    const socket = await openSocket(polled.url, 1);
    sockets.push(socket);
    socket.send(subscribe('a', 'subscription { note { text } }'));
    await socket.next();
    await owner.query(`insert into note values (1, 1, 'hello')`);
    expect(await socket.next()).toEqual(next('a', { note: [{ text: 'hello' }] }));
  });

  test('continues after a fetch that has waited for a lock in vain', async () => {
    const superuser = await gateway.database.connectSuperuser();
    const login = `${gateway.rolePrefix}gateway_login`;
    await superuser.query(`alter role ${login} set lock_timeout = '50ms'`);
    const impatient = await gateway.beside({
      subscriptions: { ...gateway.config.subscriptions, pollMs: 50 },
    });
    const socket = await openSocket(impatient.url, 1);
    sockets.push(socket);
    socket.send(subscribe('a', 'subscription { note { id } }'));
    await socket.next();
    await owner.query('begin; lock table note');
    const waiting = async () =>
      (
        await superuser.query(
          `select from pg_locks where not granted and relation = 'note'::regclass`,
        )
      ).rowCount !== 0;
    await until(waiting);
    await until(async () => !(await waiting()));
    await owner.query(`insert into note values (2, 1, 'locked'); commit`);
    expect(await socket.next()).toMatchObject({ id: 'a', type: 'next' });
    await superuser.query(`alter role ${login} reset lock_timeout`);
  });

  test('gets the error of an operation that the role may not run', async () => {
    const socket = await open(1);
    socket.send(subscribe('a', 'subscription { nothing { id } }'));
    expect(await socket.next()).toMatchObject({ id: 'a', type: 'error' });
  });
});

describe('a stream', () => {
  const stream = `subscription ($from: timestamptz!) {
    item_stream(batch_size: 2, cursor: [{ initial_value: { at: $from }, ordering: ASC }]) { id }
  }`;

  test('sends each row once, also one that commits behind the cursor', async () => {
    await owner.query(`insert into item select n, 1, 'x', timestamptz '2026-02-01' + n * interval '1 day'
      from generate_series(10, 14) n`);
    const socket = await open(1);
    socket.send(subscribe('s', stream, { from: '2026-01-15' }));
    const ids = async () =>
      (await socket.next()).payload.data.item_stream.map((row: { id: number }) => row.id);
    expect([await ids(), await ids(), await ids()]).toEqual([[10, 11], [12, 13], [14]]);
    await owner.query(
      `insert into item values (20, 1, 'late', '2026-02-12'), (21, 2, 'other', '2026-03-01')`,
    );
    expect(await ids()).toEqual([20]);
    await owner.query(`insert into item values (22, 1, 'next', '2026-03-01')`);
    expect(await ids()).toEqual([22]);
  });
});

describe('after new rules are applied', () => {
  test('a subscription continues under them, and one that they forbid ends with the error', async () => {
    const own = await startTenants({ sharesRoles: false });
    const client = await own.database.connectOwner();
    const socket = await openSocket(own.url, 1);
    sockets.push(socket);
    socket.send(subscribe('a', 'subscription { item { name } }'));
    await socket.next();
    socket.send(subscribe('b', 'subscription { item { at } }'));
    await socket.next();
    const changed = metadata['tables/item.yaml'].replaceAll(', at]', ']');
    await own.write({ 'tables/item.yaml': changed });
    await own.apply();
    await own.reload();
    expect(await socket.next()).toMatchObject({ id: 'b', type: 'error' });
    await client.query(`insert into item values (3, 1, 'three')`);
    expect(await socket.next()).toMatchObject({ id: 'a', type: 'next' });
    await client.end();
    await own.stop();
  });
});

test('a server that stops closes sockets with subscriptions, so that clients connect again', async () => {
  const own = await startTenants();
  const socket = await openSocket(own.url, 1);
  socket.send(subscribe('a', items));
  await socket.next();
  const drained = own.drain();
  expect(await socket.ended).toEqual({ code: 1001, reason: 'the server stops' });
  await drained;
  await own.stop();
});

test('a subscription over plain HTTP gets an error that names the transports', async () => {
  const { errors } = await gateway.ask(items, { role: 'member', variables: { Org: '1' } });
  expect(errors?.[0]).toMatchObject({
    message: expect.stringContaining('text/event-stream'),
    extensions: { code: 'not-supported' },
  });
});

test('a caller may send its headers as the payload of connection_init itself, as some clients do', async () => {
  const socket = new RawSocket(gateway.url);
  sockets.push(socket);
  await once(socket.socket, 'open');
  socket.send({ type: 'connection_init', payload: memberOf(1) });
  expect(await socket.next()).toEqual({ type: 'connection_ack' });
  expect(await socket.ask('{ item { id } }')).toEqual(next('q', { item: [{ id: 1 }] }));
});

describe('a socket', () => {
  test('is refused more subscriptions than it may have, until one of them ends', async () => {
    const { subscriptions } = gateway.config;
    const few = await gateway.beside({ subscriptions: { ...subscriptions, maxPerSocket: 1 } });
    const socket = await openSocket(few.url, 1);
    sockets.push(socket);
    socket.send(subscribe('a', items));
    await socket.next();
    socket.send(subscribe('b', items));
    expect(await socket.next()).toMatchObject({
      ...{ id: 'b', type: 'error' },
      payload: [{ extensions: { code: 'subscription-limit-exceeded' } }],
    });
    socket.send({ type: 'complete', id: 'a' });
    socket.send(subscribe('c', items));
    expect(await socket.next()).toMatchObject({ id: 'c', type: 'next' });
  });

  test('is refused subscriptions whose large requests take the place of many', async () => {
    const socket = await open(1);
    const padded = (id: string) => ({
      ...subscribe(id, items),
      payload: { query: items + ' '.repeat(900_000) },
    });
    socket.send(padded('a'));
    expect(await socket.next()).toMatchObject({ id: 'a', type: 'next' });
    socket.send(padded('b'));
    expect(await socket.next()).toMatchObject({
      ...{ id: 'b', type: 'error' },
      payload: [{ extensions: { code: 'subscription-limit-exceeded' } }],
    });
  });

  test('with many subscriptions still runs operations', async () => {
    const socket = await open(1);
    for (let id = 0; id < 20; id += 1) socket.send(subscribe(String(id), items));
    for (let id = 0; id < 20; id += 1) await socket.next();
    expect(await socket.ask('{ __typename }')).toMatchObject({ id: 'q', type: 'next' });
  });

  test('is closed when an id belongs to an open subscription', async () => {
    const socket = await open(1);
    socket.send(subscribe('a', items));
    await socket.next();
    socket.send(subscribe('a', items));
    expect(await socket.ended).toMatchObject({ code: 4409 });
  });

  test('whose client reads nothing gets only the newest answer afterwards', async () => {
    const [socket, reading] = [await open(1), await open(1)];
    const large = 'subscription { item(where: { id: { _gt: 2 } }) { name } }';
    for (const one of [socket, reading]) {
      one.send(subscribe('a', large));
      await one.next();
    }
    socket.socket.pause();
    await owner.query(`insert into item values (3, 1, 'x')`);
    await reading.next();
    for (let count = 1; count <= 60; count += 1) {
      await owner.query(`update item set name = $1 || repeat('x', 1000000) where id = 3`, [count]);
      await reading.next();
    }
    socket.socket.resume();
    const last = async (): Promise<string> => {
      const [name = ''] = names(await socket.next());
      return name.startsWith('60x') ? name : last();
    };
    await last();
    expect(socket.received.length).toBeLessThan(50);
  });
});
