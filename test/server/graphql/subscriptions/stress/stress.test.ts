import { expect, test } from 'vitest';
import { parseConfig } from '../../../../../server/config/config.ts';
import { ChangeReader } from '../../../../../server/graphql/subscriptions/changes/change-reader.ts';
import { until } from '../../../../support/until.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { makeCallers, metadata, type StressCaller, schema } from './callers.ts';
import { beginLate } from './late-commits.ts';
import { startKillableDatabase } from './own-cluster.ts';
import { Watcher } from './watcher.ts';
import { firstStreamed, Writers } from './writers.ts';

/** No answer is fetched without a reported change, so a change that is not reported leaves a wrong answer. */
const { subscriptions } = parseConfig({}, '.').config;
const config = {
  subscriptions: { ...subscriptions, pollMs: 3_600_000, floorPollMs: 3_600_000 },
};

const streamedRows = `item(where: { id: { _gte: ${firstStreamed} } }, order_by: { id: asc }) { id }`;

async function answerOf({ ask }: Gateway, caller: StressCaller, field: string): Promise<unknown> {
  return ask(`{ ${field} }`, caller.ask);
}

/** Waits until the last message of each live query is the answer to a fresh query. */
async function expectFresh(gateway: Gateway, watchers: readonly Watcher[]): Promise<void> {
  for (const watcher of watchers) {
    for (const [index, field] of watcher.caller.fields.entries()) {
      const fresh = await answerOf(gateway, watcher.caller, field);
      await expect.poll(() => watcher.last(index), { timeout: 20_000 }).toEqual(fresh);
    }
  }
}

/** Waits until the openings of each stream have sent every row, none of them twice. */
async function expectStreamed(gateway: Gateway, watchers: readonly Watcher[]): Promise<void> {
  for (const watcher of watchers) {
    const { data } = await gateway.ask(`{ ${streamedRows} }`, watcher.caller.ask);
    const rows: readonly number[] = data.item.map(({ id }: { id: number }) => id);
    const all = () => [...new Set(watcher.streamed.flat())].toSorted((a, b) => a - b);
    await expect.poll(all, { timeout: 20_000 }).toEqual(rows);
    for (const opening of watcher.streamed) expect(new Set(opening).size).toBe(opening.length);
  }
}

function countMessages(watchers: readonly Watcher[]): number {
  return watchers.reduce((count, { messages }) => count + messages, 0);
}

test('200 live queries and 60 streams are right after eight writers, cut connections and a killed Postgres, and no message has a foreign row', async () => {
  const database = await startKillableDatabase();
  const gateway = await startGateway({
    ...{ schema, metadata, database, config },
    changes: (options) => new ChangeReader({ ...options, keptMs: 1500 }),
  });
  const superuser = await database.connectSuperuser();
  const cut = (which: string) =>
    superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${gateway.rolePrefix}gateway_login' and ${which}`,
    );
  const callers = makeCallers();
  const open = () => Promise.all(callers.map((caller) => Watcher.open(gateway.url, caller)));
  const watchers = await open();
  const writers = new Writers(database.ownerUrl);
  await writers.reach(0.1);
  // Others join while the writers write.
  watchers.push(...(await open()));
  await writers.reach(0.3);
  await cut(`query like '%live_changes%'`);
  await writers.reach(0.5);
  await cut('true');
  await writers.reach(0.7);
  await superuser.end();
  await database.kill();
  await writers.reach(0.9);
  const commits = await beginLate(database);
  await writers.finished;
  // Each commits while answers to the one before are fetched.
  for (const commit of commits) {
    const before = countMessages(watchers);
    await commit();
    await until(async () => countMessages(watchers) > before);
  }
  await expectFresh(gateway, watchers);
  await expectStreamed(
    gateway,
    watchers.filter(({ caller }) => caller.streams),
  );
  for (const { foreign, endings } of watchers) {
    expect(foreign).toEqual([]);
    expect(endings.queries).toEqual([]);
    expect(new Set(endings.streams)).toEqual(new Set(['stream-interrupted']));
  }
  for (const watcher of watchers) watcher.close();
  const owner = await database.connectOwner();
  await until(
    async () => (await owner.query(`select from rowgate.live_ledger where floor > '0'`)).rowCount,
  );
  await gateway.stop();
}, 180_000);
