import pg from 'pg';
import { until } from '../../../../support/until.ts';
import { foreign, organizations } from './callers.ts';

const writers = 8;
/** These writers have long transactions, which end after many transactions of the others. */
const slowWriters = 2;
const transactions = 120;
/** Number of transactions that end while a long one runs. */
const longFor = 60;

/** Rows from this id on are neither changed nor deleted. */
export const firstStreamed = 1000;

/** Writers that write random transactions at the same time. Some roll back, and some stay open while others commit. */
export class Writers {
  readonly #url: string;
  readonly finished: Promise<unknown>;
  #ended = 0;

  constructor(url: string) {
    this.#url = url;
    this.finished = Promise.all(
      Array.from({ length: writers }, (_, index) => this.#write(index + 1)),
    );
  }

  /** Waits until this part of all transactions has ended. */
  async reach(part: number): Promise<void> {
    await this.#untilEnded(part * writers * transactions);
  }

  async #untilEnded(count: number): Promise<void> {
    await until(async () => this.#ended >= count);
  }

  async #write(seed: number): Promise<void> {
    const isSlow = seed <= slowWriters;
    const random = makeRandom(seed);
    const statement = makeStatements(seed, random);
    let session = await this.#connect();
    for (let count = 0; count < transactions; count += 1) {
      if (session.hasEnded) session = await this.#connect();
      const run = (text: string) => session.client.query(text).catch(() => {});
      await run('begin');
      for (let left = random(4); left >= 0; left -= 1) await run(statement());
      if (isSlow && random(12) === 0) await this.#waitForOthers();
      await run(random(5) === 0 ? 'rollback' : 'commit');
      this.#ended += 1;
    }
    await session.client.end();
  }

  async #waitForOthers(): Promise<void> {
    const others = (writers - slowWriters) * transactions;
    await this.#untilEnded(Math.min(this.#ended + longFor, others));
  }

  /** Waits while Postgres starts. */
  async #connect() {
    const client = await until(async () => {
      const made = new pg.Client({ connectionString: this.#url });
      made.on('error', () => {});
      return made.connect().then(
        () => made,
        () => undefined,
      );
    });
    const session = { client, hasEnded: false };
    client.once('end', () => {
      session.hasEnded = true;
    });
    // Rows that a long transaction has locked stay locked until the other writers have gone on.
    await client.query(`set lock_timeout = '20ms'`);
    return session;
  }
}

type Random = (max: number) => number;

/** Makes a function that returns a whole number below `max`, always in the same sequence. */
function makeRandom(seed: number): Random {
  let state = seed;
  return (max) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state % max;
  };
}

/** Makes a function that returns a random statement. Some fail, which rolls back their transaction. */
function makeStatements(seed: number, random: Random): () => string {
  const org = () => 1 + random(organizations);
  const some = () => 1 + random(200);
  const name = () => (random(6) === 0 ? 'hidden' : random(9));
  let id = 10_000 * seed;
  // Equal times stand at the edges of batches, and later transactions have earlier times.
  const at = () => `timestamptz '2026-03-02' - ${random(90)} * interval '1 s'`;
  const insert = (owner: number, text: string) => {
    id += 10;
    return `insert into item select n, ${owner}, '${text}', ${at()} from generate_series(${id}, ${id + random(9)}) n`;
  };
  const membership = () => {
    const person = 1 + random(10);
    return [10 * person + random(3), person, person + random(3)] as const;
  };
  const statements = [
    () => insert(org(), '1'),
    () => insert(org(), '1'),
    () => insert(foreign, 'foreign'),
    () => `update item set name = '${name()}' where id = ${some()}`,
    () => `update item set org = ${org()} where id = ${some()}`,
    () => `delete from item where id = ${some()}`,
    () => `insert into item values (${some()}, ${org()}, '1', '2026-01-01') on conflict do nothing`,
    () => `update item set name = '${name()}' where org = ${org()} and id between 1 and 100`,
    () => `update item set name = 'foreign ${name()}' where id = -${1 + random(20)}`,
    () => 'savepoint a; delete from item where id between 1 and 20; rollback to a',
    () => `insert into membership values (${membership().join()}) on conflict do nothing`,
    () => `delete from membership where id = ${membership()[0]}`,
  ];
  return () => statements[random(statements.length)]?.() ?? '';
}
