import type pg from 'pg';
import { expect, test } from 'vitest';
import type { Answer, Gateway } from '../../support/gateway.ts';
import type { RawSocket } from '../../websocket/support/raw-socket.ts';
import { openSocket, startTenants, subscribe } from '../support/tenants.ts';

const tenants = 12;
const writers = 8;
const transactions = 150;

const lists = 'item(order_by: { id: asc }) { id org name }';
const counts = 'item_aggregate(where: { name: { _neq: "1" } }) { aggregate { count } }';
const byKey = 'item_by_pk(id: 77) { id org name }';
const fields = [lists, counts, byKey];
const stream = `subscription {
  item_stream(batch_size: 5, cursor: [{ initial_value: { at: "2026-03-01" } }]) { id org }
}`;

/** A client with a socket that holds the last message of each subscription, and all rows of its stream. */
class Watcher {
  readonly org: number;
  readonly socket: RawSocket;

  constructor(org: number, socket: RawSocket) {
    this.org = org;
    this.socket = socket;
    for (const [index, field] of fields.entries())
      socket.send(subscribe(String(index), `subscription { ${field} }`));
    socket.send(subscribe('s', stream));
  }

  last(id: string): unknown {
    return this.socket.received.findLast((message) => message.id === id)?.payload;
  }

  get streamed(): readonly number[] {
    const messages = this.socket.received.filter(({ id }) => id === 's');
    return messages.flatMap(({ payload }) =>
      payload.data.item_stream.map(({ id }: { id: number }) => id),
    );
  }

  /** The organizations of all rows in all messages. */
  get seen(): ReadonlySet<number> {
    const text = JSON.stringify(this.socket.received);
    return new Set([...text.matchAll(/"org":(\d+)/g)].map(([, org]) => Number(org)));
  }
}

/** Makes a function that returns a whole number below `max`, always in the same sequence. */
function makeRandom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state % max;
  };
}

/** Runs random transactions. Some roll back, some stay open while others commit. */
async function write(owner: pg.Client, seed: number): Promise<void> {
  const random = makeRandom(seed);
  const org = () => 1 + random(tenants);
  const some = () => 3 + random(200);
  let id = 10_000 * seed;
  const statements = [
    () => {
      id += 10;
      return `insert into item
        select n, ${org()}, '1', timestamptz '2026-03-02' - ${random(90)} * interval '1 s'
        from generate_series(${id}, ${id + random(9)}) n`;
    },
    () => `update item set name = '${random(9)}' where id = ${some()}`,
    () => `update item set org = ${org()} where id = ${some()}`,
    () => `delete from item where id = ${some()}`,
    () => `insert into item values (${some()}, ${org()}, '1', '2026-01-01') on conflict do nothing`,
    () => `update item set name = '${random(9)}' where org = ${org()} and id < 100`,
    () => 'savepoint a; delete from item where id < 20 and id > 2; rollback to a',
  ];
  for (let count = 0; count < transactions; count += 1) {
    await owner.query('begin');
    for (let left = random(4); left >= 0; left -= 1)
      await owner.query(statements[random(statements.length)]?.() ?? '').catch(() => {});
    await owner.query(random(5) === 0 ? 'rollback' : 'commit');
  }
}

function answerOf(gateway: Gateway, org: number, field: string): Promise<Answer> {
  const variables = { Org: String(org) };
  return gateway.ask(`{ ${field} }`, { role: 'member', variables });
}

test('after many writes every client has the answer of a fresh query and each row of its stream, and no client has seen a row of another tenant', async () => {
  const gateway = await startTenants();
  const superuser = await gateway.database.connectSuperuser();
  await superuser.query(`insert into item
    select n, 1 + n % ${tenants}, 'x', '2026-01-01' from generate_series(3, 200) n`);
  const owners = await Promise.all(
    Array.from({ length: writers }, () => gateway.database.connectOwner()),
  );
  const watchers: Watcher[] = [];
  const join = async (org: number) =>
    void watchers.push(new Watcher(org, await openSocket(gateway.url, org)));
  for (let org = 1; org <= tenants; org += 1) await join(org);
  const writing = Promise.all(owners.map((owner, index) => write(owner, index + 1)));
  // More clients join while the writers write, and the reader's connection is cut.
  for (let org = 1; org <= tenants; org += 1) await join(org);
  await superuser.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like '%live_changes%' and pid <> pg_backend_pid()`);
  await writing;
  for (const watcher of watchers) {
    for (const [index, field] of fields.entries()) {
      const fresh = await answerOf(gateway, watcher.org, field);
      await expect.poll(() => watcher.last(String(index)), { timeout: 10_000 }).toEqual(fresh);
    }
    expect([...watcher.seen]).toEqual([watcher.org]);
  }
  // Writers neither change nor delete these rows.
  const streamed = 'item(where: { id: { _gte: 1000 } }, order_by: { id: asc }) { id }';
  for (const { org, streamed: rows } of watchers) {
    const { data } = await answerOf(gateway, org, streamed);
    expect(rows.toSorted((a, b) => a - b)).toEqual(data.item.map(({ id }: { id: number }) => id));
  }
  for (const { socket } of watchers) socket.end();
  await Promise.all([superuser, ...owners].map((client) => client.end()));
  await gateway.stop();
}, 120_000);
