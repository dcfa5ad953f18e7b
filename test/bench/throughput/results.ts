import type { Result } from '../../../bench/load/rounds.ts';

/** Makes a result with one round for each pair of a rate and a processor time of the server. */
export function resultOf(
  contender: string,
  rounds: readonly (readonly [number, number | undefined])[],
  operation = 'by_pk',
): Result {
  return {
    ...{ operation, contender, connections: 16 },
    rounds: rounds.map(([perSecond, serverUs]) => ({
      ...{ requests: perSecond, perSecond, p50Ms: 1.25, p99Ms: 9, postgresUs: 40 },
      ...(serverUs !== undefined && { serverUs }),
    })),
  };
}
