import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Contender } from '../contender.ts';

/** The peak use of resources. */
export interface Peaks {
  /** Database connections with a running request. */
  readonly connections: number;
  /** Private memory of one backend, without the shared buffers. */
  readonly backendMiB: number;
  readonly residentMiB: number;
  /** The longest delay of the gateway's event loop. */
  readonly eventLoopMs: number;
}

const WATCH_MS = 25;

interface Sample {
  readonly eventLoopMs: number;
  readonly residentMiB: number;
}

function sample({ process: child }: Contender): Promise<Sample> {
  return new Promise((resolve) => {
    child.once('message', (message) => resolve(message as Sample));
    child.send('sample');
  });
}

/** Samples a gateway and its backends on this machine. */
export class PeakWatch {
  readonly #gateway: Contender;
  readonly #watcher: pg.Client;
  readonly #watching: Promise<void>;
  #isOver = false;
  #peaks: Peaks = { connections: 0, backendMiB: 0, residentMiB: 0, eventLoopMs: 0 };

  /** @param watcher any connection to the database */
  constructor(gateway: Contender, watcher: pg.Client) {
    this.#gateway = gateway;
    this.#watcher = watcher;
    this.#watching = this.#watch();
  }

  /** The peaks so far. */
  get peaks(): Peaks {
    return this.#peaks;
  }

  /** Stops sampling and returns the peaks. */
  async end(): Promise<Peaks> {
    this.#isOver = true;
    await this.#watching;
    return this.#peaks;
  }

  async #watch(): Promise<void> {
    // The first sample is ignored, because it covers time before the sampling began.
    await sample(this.#gateway);
    while (!this.#isOver) {
      await this.#look();
      await delay(WATCH_MS);
    }
  }

  async #look(): Promise<void> {
    const { rows } = await this.#watcher.query<{ pid: number; busy: boolean }>(
      // Postgres hides the state of other users' sessions. But each transaction holds a lock that all users see, and
      // the lock shows that its session is busy.
      `select a.pid, l.pid is not null as busy from pg_stat_activity a
       left join pg_locks l on l.pid = a.pid and l.locktype = 'virtualxid'
       where a.application_name = 'rowgate' and a.datname = current_database()`,
    );
    const sizes = await Promise.all(rows.map(({ pid }) => ownMemory(pid)));
    const { eventLoopMs, residentMiB } = await sample(this.#gateway);
    const before = this.#peaks;
    this.#peaks = {
      connections: Math.max(before.connections, rows.filter(({ busy }) => busy).length),
      backendMiB: Math.max(before.backendMiB, ...sizes),
      residentMiB: Math.max(before.residentMiB, residentMiB),
      eventLoopMs: Math.max(before.eventLoopMs, eventLoopMs),
    };
  }
}

async function ownMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}
