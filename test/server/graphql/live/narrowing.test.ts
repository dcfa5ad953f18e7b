import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeAnswer } from '../../../../server/graphql/answer-text.ts';
import type { TableDependency } from '../../../../server/graphql/request/live-operation.ts';
import { query } from '../../../support/query.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { makeChooser, randomChange, randomSubscription } from './support/random-world.ts';
import { liveQuery } from './support/subscribe.ts';
import { firstRows, metadata, schema } from './support/world.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

const { signal } = new AbortController();
/** Each round begins with the first rows, because changes delete many. */
const ROUNDS = 16;
const CHANGES = 5;
const SUBSCRIPTIONS = 30;

/** One statement in the ledger. */
interface Recorded {
  readonly table: string;
  /** Null: any row may have changed. */
  readonly keys: readonly string[] | null;
}

/** Runs a statement and returns the changes that the triggers of live tables record. */
async function recordedBy(change: string): Promise<readonly Recorded[]> {
  const ledger = 'delete from rowgate.live_change returning table_key as table, keys';
  await query(gateway.database.ownerUrl, ledger, change);
  return (await query(gateway.database.ownerUrl, ledger)) as unknown as readonly Recorded[];
}

function concerns({ table, keys }: TableDependency, changed: Recorded): boolean {
  if (changed.table !== table) return false;
  const has = (column: string, value: string) =>
    !changed.keys ||
    changed.keys.includes(`${column}=${value}`) ||
    changed.keys.includes(`${column}*`);
  return [...keys].every(([column, values]) => values.some((value) => has(column, value)));
}

test('a change that alters the answer of a live query concerns one of its dependencies', async () => {
  const choose = makeChooser(20_261_123);
  const chosen = Array.from({ length: SUBSCRIPTIONS }, () => randomSubscription(choose));
  const watched = await Promise.all(
    chosen.map(async ({ query: text, ...ask }) => ({
      label: `${ask.role} ${JSON.stringify(ask.variables)} ${text}`,
      live: await liveQuery(gateway, text, ask),
    })),
  );
  const read = () =>
    Promise.all(watched.map(async ({ live }) => decodeAnswer(await live.fetch(signal))));
  const count = { altered: 0, skipped: 0 };
  const missed: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await query(gateway.database.ownerUrl, firstRows);
    let before = await read();
    for (let index = 0; index < CHANGES; index++) {
      const change = randomChange(choose);
      const changes = await recordedBy(change);
      const after = await read();
      const cases = watched.map(({ live, label }, place) => ({
        label: `${change} alters ${label}`,
        isAltered: before[place] !== after[place],
        isConcerned: live.dependencies.tables.some((one) =>
          changes.some((changed) => concerns(one, changed)),
        ),
      }));
      count.altered += cases.filter(({ isAltered }) => isAltered).length;
      count.skipped += changes.length > 0 ? cases.filter((one) => !one.isConcerned).length : 0;
      missed.push(
        ...cases.filter((one) => one.isAltered && !one.isConcerned).map(({ label }) => label),
      );
      before = after;
    }
  }
  expect(missed).toEqual([]);
  // The changes and the narrowing have an effect, so the test can find a mistake.
  expect(count.altered).toBeGreaterThan(40);
  expect(count.skipped).toBeGreaterThan(500);
});
