import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeMetadata } from '../../../../permissions/support/metadata-files.ts';
import { until } from '../../../../support/until.ts';
import { cut, installLive, type LiveInstallation, makeReader, watch } from './readers.ts';

/** Long enough that no reader falls behind on a busy machine, and short enough that changes are swept during the test. */
const keptMs = 5_000;
const seed = 20_261;

let made: LiveInstallation;
beforeAll(async () => {
  made = await installLive();
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

/** Returns pseudo-random whole numbers below a limit. */
function numbers(start: number): (limit: number) => number {
  let state = start;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

/** Writes random transactions until `isOver`. Returns the keys of the committed statements. */
async function write(writer: number, isOver: () => boolean): Promise<readonly string[]> {
  const random = numbers(seed + writer);
  const client = new pg.Client({ connectionString: made.database.ownerUrl });
  await client.connect();
  const committed: string[] = [];
  let id = writer * 1_000_000;
  const statement = async () => {
    id += 1;
    await client.query('insert into item values ($1)', [id]);
    return `id=${id}`;
  };
  const nested = async () => {
    await client.query('savepoint a');
    const key = await statement();
    const end = ['rollback to a', 'release a'][random(2)] ?? '';
    await client.query(end);
    return end === 'release a' ? [key] : [];
  };
  while (!isOver()) {
    await client.query('begin');
    const keys: string[] = [];
    for (let left = 1 + random(4); left > 0; left -= 1) {
      keys.push(...(random(3) === 0 ? await nested() : [await statement()]));
      await delay(random(6));
    }
    await delay(random(20) === 0 ? random(700) : 0);
    const end = random(5) === 0 ? 'rollback' : 'commit';
    await client.query(end);
    committed.push(...(end === 'commit' ? keys : []));
    await delay(random(10));
  }
  await client.end();
  return committed;
}

test('two readers whose connections are cut again and again report every committed statement exactly once', async () => {
  const readers = [
    makeReader(made.gatewayUrl, { keptMs }),
    makeReader(made.gatewayUrl, { keptMs }),
  ];
  const watches = await Promise.all(readers.map(watch));
  let isOver = false;
  const writers = [1, 2, 3, 4, 5, 6].map((writer) => write(writer, () => isOver));
  // The writers go on until changes were swept while they wrote.
  for (let round = 0; round < 8; round += 1) {
    await cut(made);
    await Promise.all(watches.map(({ more }) => more(20)));
  }
  await until(async () => {
    const { rows } = await made.owner.query<{ swept: boolean }>(
      `select not exists (select from rowgate.live_change where 'id=1000001' = any (keys)) as swept`,
    );
    return rows[0]?.swept;
  });
  isOver = true;
  const committed = (await Promise.all(writers)).flat().toSorted();
  for (const one of watches) {
    await until(async () => one.keys().length >= committed.length);
    await one.more(5);
    expect(one.keys().toSorted()).toEqual(committed);
    expect(one.reports.slice(1).every(({ isComplete }) => isComplete)).toBe(true);
  }
  await Promise.all(readers.map((reader) => reader.close()));
});
