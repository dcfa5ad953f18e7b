import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Contender } from './contender.ts';

/** The most that was needed at any moment. */
export interface Peaks {
  /** Connections that run a request of the watched caller. */
  readonly connections: number;
  /** Memory of one backend that is its own, without the buffers that all share. */
  readonly backendMiB: number;
  readonly residentMiB: number;
  /** For which the gateway's event loop was held up. */
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

/** Watches a gateway and its backends on this machine. @returns what ends it and gives the peaks */
export async function watchPeaks(
  gateway: Contender,
  watcher: pg.Client,
): Promise<() => Promise<Peaks>> {
  let isOver = false;
  let connections = 0;
  let backendMiB = 0;
  let residentMiB = 0;
  let eventLoopMs = 0;
  await sample(gateway);
  const watch = async () => {
    while (!isOver) {
      const { rows } = await watcher.query<{ pid: number; busy: boolean }>(
        // The state of others' sessions is hidden, but not the lock that each transaction holds.
        `select a.pid, l.pid is not null as busy from pg_stat_activity a
         left join pg_locks l on l.pid = a.pid and l.locktype = 'virtualxid'
         where a.application_name = 'rowgate' and a.datname = current_database()`,
      );
      connections = Math.max(connections, rows.filter(({ busy }) => busy).length);
      const sizes = await Promise.all(rows.map(({ pid }) => ownMemory(pid)));
      backendMiB = Math.max(backendMiB, ...sizes);
      const now = await sample(gateway);
      residentMiB = Math.max(residentMiB, now.residentMiB);
      eventLoopMs = Math.max(eventLoopMs, now.eventLoopMs);
      await delay(WATCH_MS);
    }
  };
  const watching = watch();
  return async () => {
    isOver = true;
    await watching;
    return { connections, backendMiB, residentMiB, eventLoopMs };
  };
}

async function ownMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}
