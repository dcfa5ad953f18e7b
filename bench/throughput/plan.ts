import type { Contender } from '../contender.ts';
import type { LoadGenerator } from '../load/load.ts';
import { httpTrial, type Trial } from '../load/trial.ts';
import { compareAnswers } from './compare-answers.ts';
import type { Endpoint } from './contenders.ts';
import type { Operation } from './operations.ts';
import { comparePgbench, type Pgbench, pgbenchTrial } from './pgbench.ts';

const STANDARD_CONNECTIONS = [16];
/** The numbers of connections for the operations that depend most on the server. */
const MORE_CONNECTIONS = [1, 16, 64, 256];

/** Returns the numbers of connections with which an operation is measured unless the caller chooses others. */
export function connectionsOf({ name }: Operation): readonly number[] {
  return ['by_pk', 'list'].includes(name) ? MORE_CONNECTIONS : STANDARD_CONNECTIONS;
}

/**
 * Returns the names that were selected, in the order of `all`.
 * @throws Error for an unknown name
 */
export function chosen(
  kind: string,
  all: readonly string[],
  selected: readonly string[] = all,
): ReadonlySet<string> {
  const unknown = selected.filter((name) => !all.includes(name));
  if (unknown.length === 0) return new Set(all.filter((name) => selected.includes(name)));
  throw new Error(`no ${kind} is called ${unknown.join(', ')}; there are ${all.join(', ')}`);
}

/** Everything that trials need. */
export interface Field {
  /** The contenders in the order of tables. */
  readonly names: ReadonlySet<string>;
  readonly endpoints: readonly Endpoint[];
  readonly pgbench: Pgbench | undefined;
  readonly generator: LoadGenerator;
  readonly postmaster: number;
}

/**
 * Makes the trials of one operation, a group for each number of connections.
 * @throws Error when contenders answer differently
 */
export async function trialsOf(
  operation: Operation,
  connections: readonly number[],
  { names, endpoints, pgbench, generator, postmaster }: Field,
): Promise<readonly (readonly Trial[])[]> {
  const targets = await compareAnswers(
    operation.name,
    new Map(endpoints.map(({ name, target }) => [name, target(operation)])),
  );
  const [reference] = targets.values();
  if (pgbench && reference) await comparePgbench(operation, pgbench, reference);
  const servers = new Map<string, Contender>(endpoints.map(({ name, server }) => [name, server]));
  const trialOf = (contender: string, count: number): readonly Trial[] => {
    const name = { operation: operation.name, connections: count, contender };
    if (contender === 'pgbench') return pgbench ? [pgbenchTrial(name, operation, pgbench)] : [];
    const processes = { server: servers.get(contender)?.process.pid, postgres: postmaster };
    const target = targets.get(contender);
    return target ? [httpTrial(name, target, processes, generator)] : [];
  };
  return connections.map((count) => [...names].flatMap((name) => trialOf(name, count)));
}
