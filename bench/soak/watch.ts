import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Contender } from '../contender.ts';
import { type BenchDatabase, withClient } from '../database.ts';
import type { Sample } from './verdict.ts';

const SAMPLE_MS = 1000;

/** Adds a sample every second until the signal is aborted. */
export async function watch(
  server: Contender,
  database: BenchDatabase,
  samples: Sample[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // Postgres refuses connections while it restarts.
    const connections = await countConnections(database).catch(() => undefined);
    const memory = await askForMemory(server);
    if (connections !== undefined) samples.push({ at: performance.now(), connections, ...memory });
    await delay(SAMPLE_MS);
  }
}

async function askForMemory({ process: child }: Contender) {
  const answered = once(child, 'message');
  child.send('memory');
  const [memory] = (await answered) as [Pick<Sample, 'heapMiB' | 'residentMiB'>];
  return memory;
}

function countConnections({ ownerUrl, rolePrefix }: BenchDatabase): Promise<number> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from pg_stat_activity where usename = $1',
      [`${rolePrefix}gateway_login`],
    );
    return rows[0]?.count ?? 0;
  });
}
