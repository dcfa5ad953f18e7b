import type { LoadGenerator, Rates } from './load.ts';
import { processorTime } from './processor-time.ts';
import type { Target } from './target.ts';

/** The figures of one contender in one round. */
export interface Figures extends Rates {
  /** Processor time of the server per request in microseconds; absent when it cannot be measured. */
  readonly serverUs?: number;
  /** Processor time of Postgres per request in microseconds. */
  readonly postgresUs?: number;
}

/** Measures one contender under one load. */
export interface Trial {
  readonly operation: string;
  readonly connections: number;
  readonly contender: string;
  run(milliseconds: number): Promise<Figures>;
}

/** The processes whose time is measured. */
export interface Processes {
  /** Absent: the contender is no server. */
  readonly server?: number | undefined;
  readonly postgres: number;
}

/** Makes a trial that sends HTTP requests. */
export function httpTrial(
  name: Omit<Trial, 'run'>,
  target: Target,
  processes: Processes,
  generator: LoadGenerator,
): Trial {
  const run = async (milliseconds: number) => {
    await generator.prepare(target, name.connections);
    return withTimes(processes, () => generator.run(milliseconds));
  };
  return { ...name, run };
}

/** Measures the processor time that requests take. */
export async function withTimes(
  { server, postgres }: Processes,
  measure: () => Promise<Rates>,
): Promise<Figures> {
  const times = () =>
    Promise.all([
      server === undefined ? undefined : processorTime(server),
      processorTime(postgres),
    ]);
  const before = await times();
  const rates = await measure();
  const after = await times();
  const [serverUs, postgresUs] = after.map((time, index) => {
    const earlier = before[index];
    return time === undefined || earlier === undefined
      ? undefined
      : (time - earlier) / rates.requests;
  });
  return {
    ...rates,
    ...(serverUs !== undefined && { serverUs }),
    ...(postgresUs !== undefined && { postgresUs }),
  };
}
