import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { monotonicMs, type Write } from './latency.ts';

const ROWS_PER_TENANT = 50;

interface Pace {
  readonly tenants: number;
  readonly perSecond: number;
  readonly milliseconds: number;
}

/** Changes single rows at a steady rate on average, in transactions of their own. */
export class Writer {
  readonly #client: pg.Client;
  #number = 0;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** The random part keeps the writes from falling into step with the reads of the server. */
  async run({ tenants, perSecond, milliseconds }: Pace): Promise<readonly Write[]> {
    const writes: Write[] = [];
    const intervalMs = 1000 / perSecond;
    const began = monotonicMs();
    for (let turn = 0; turn * intervalMs < milliseconds; turn += 1) {
      const due = began + (turn + Math.random()) * intervalMs;
      await delay(Math.max(0, due - monotonicMs()));
      writes.push(await this.#write(1 + Math.floor(Math.random() * tenants)));
    }
    return writes;
  }

  async #write(tenant: number): Promise<Write> {
    this.#number += 1;
    const row = 1 + Math.floor(Math.random() * ROWS_PER_TENANT);
    await this.#client.query('begin');
    await this.#client.query({
      name: 'write',
      text: 'update item set name = $1 where id = $2',
      values: [`write ${this.#number}`, (tenant - 1) * ROWS_PER_TENANT + row],
    });
    const at = monotonicMs();
    await this.#client.query('commit');
    return { number: this.#number, tenant, at };
  }
}
