import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { applyRules, type BenchCluster } from '../database.ts';
import { Connection } from '../load/connection.ts';
import { requestOf } from '../load/target.ts';
import { soakTarget } from './callers.ts';
import type { Observation } from './verdict.ts';

const RELOAD_PAUSE_MS = 4000;
/** The time in which the server connects again after the restart of Postgres. */
const RECOVERY_MS = 5000;
/** The time in which the server must serve the rules that were applied last. */
const RELOAD_LIMIT_MS = 10_000;
const POLL_MS = 100;

export interface Changing {
  readonly cluster: BenchCluster;
  /** A folder of rules that may be changed. */
  readonly metadata: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Times of `performance.now()`. */
  readonly from: number;
  readonly to: number;
}

/** The changes that the server went through. */
export interface Changes {
  readonly applied: number;
  /** Whether the rules that were applied last allow aggregates of notes. */
  readonly allows: boolean;
  /** How long Postgres was away. */
  readonly awayMs: number;
  readonly restart: Observation['restart'];
}

/** Applies changed rules again and again, and restarts Postgres once in the middle. */
export async function changeAndRestart(changing: Changing): Promise<Changes> {
  const { cluster, metadata, environment, from, to } = changing;
  const file = path.join(metadata, 'tables', 'note.yaml');
  const text = await readFile(file, 'utf8');
  let applied = 0;
  let allows = true;
  let restarted: Pick<Changes, 'awayMs' | 'restart'> | undefined;
  while (performance.now() < to) {
    if (!restarted && performance.now() > (from + to) / 2) {
      const began = performance.now();
      await cluster.restart();
      const ended = performance.now();
      restarted = { awayMs: ended - began, restart: { from: began, to: ended + RECOVERY_MS } };
      await delay(RECOVERY_MS);
    }
    allows = !allows;
    applied += 1;
    await writeFile(file, text.replace('aggregations: true', `aggregations: ${allows}`));
    await applyRules(metadata, environment);
    await delay(RELOAD_PAUSE_MS);
  }
  if (restarted) return { applied, allows, ...restarted };
  throw new Error('the duration is too short for a restart of Postgres');
}

/** Waits until the server serves the rules that were applied last. Returns false when it does not in time. */
export async function servesLastRules(port: number, { allows }: Changes): Promise<boolean> {
  const connection = await Connection.open(port);
  const body = JSON.stringify({ query: '{ note_aggregate { aggregate { count } } }' });
  const request = requestOf(soakTarget({ role: 'tenant', tenant: 1 }, port), body);
  const deadline = performance.now() + RELOAD_LIMIT_MS;
  try {
    while (performance.now() < deadline) {
      const { body: answer } = await connection.exchange(request);
      if (answer.toString().startsWith('{"data":') === allows) return true;
      await delay(POLL_MS);
    }
    return false;
  } finally {
    connection.close();
  }
}
