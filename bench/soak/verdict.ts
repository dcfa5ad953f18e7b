import { median } from '../measure.ts';
import type { Failure } from './callers.ts';

/** The state of the server at one moment. */
export interface Sample {
  readonly at: number;
  /** Memory of the heap after a garbage collection. */
  readonly heapMiB: number;
  readonly residentMiB: number;
  /** Open database connections. */
  readonly connections: number;
}

export interface Observation {
  /** The time for which samples are compared, in milliseconds of `performance.now()`. */
  readonly from: number;
  readonly to: number;
  readonly samples: readonly Sample[];
  readonly failures: readonly Failure[];
  /** The restart of Postgres, with the time that the server has to connect again. */
  readonly restart: { readonly from: number; readonly to: number };
  readonly poolSize: number;
}

/** The medians of the first and of the last quarter. */
export interface Quarters {
  readonly first: number;
  readonly last: number;
}

/** The share and the MiB by which memory may differ between two quarters of a run without a leak. */
const tolerance = { heapMiB: { share: 1.1, more: 8 }, residentMiB: { share: 1.15, more: 32 } };

/** Connections besides those for requests: notices, and looks for drift. */
const OTHER_CONNECTIONS = 3;

export function quartersOf(
  { from, to, samples }: Observation,
  figure: 'heapMiB' | 'residentMiB' | 'connections',
): Quarters {
  const quarter = (to - from) / 4;
  const within = (start: number) =>
    samples.filter(({ at }) => at >= start && at <= start + quarter).map((one) => one[figure]);
  return { first: median(within(from)), last: median(within(to - quarter)) };
}

/** Returns why a run has failed; empty when it has not. */
export function problemsOf(observation: Observation): readonly string[] {
  const { failures, restart, samples, poolSize } = observation;
  const wrong = failures.filter(({ outcome }) => outcome === 'wrong');
  const outside = failures.filter(
    ({ at, outcome }) => outcome === 'failed' && (at < restart.from || at > restart.to),
  );
  const connections = Math.max(0, ...samples.map((sample) => sample.connections));
  return [
    ...(wrong.length > 0 ? [`${wrong.length} wrong answers, ${quoted(wrong)}`] : []),
    ...(outside.length > 0
      ? [`${outside.length} errors beside the restart, ${quoted(outside)}`]
      : []),
    ...(['heapMiB', 'residentMiB'] as const).flatMap((figure) => growthOf(observation, figure)),
    ...(connections > poolSize + OTHER_CONNECTIONS
      ? [`${connections} database connections, more than ${poolSize} and ${OTHER_CONNECTIONS}`]
      : []),
  ];
}

function growthOf(observation: Observation, figure: keyof typeof tolerance): readonly string[] {
  const { first, last } = quartersOf(observation, figure);
  const { share, more } = tolerance[figure];
  // Without samples the medians are NaN, which is a problem too.
  if (last <= first * share + more) return [];
  return [`${figure} grew from ${first.toFixed(0)} to ${last.toFixed(0)}`];
}

function quoted(failures: readonly Failure[]): string {
  return failures
    .slice(0, 3)
    .map(({ text }) => `for example ${text}`)
    .join('\n  ');
}
