import { load, type Round, type Target } from './load.ts';
import { median } from './measure.ts';

export const rounds = Number(process.env.ROWGATE_BENCH_ROUNDS ?? 5);
export const ROUND_MS = 1500;
const WARM_UP_MS = 1000;

/** A query and the contender that answers it. */
export interface Trial {
  readonly question: string;
  readonly contender: string;
  readonly target: Target;
}

/** The results by query and contender. */
export type Results = ReadonlyMap<string, readonly Round[]>;

const keyOf = ({ question, contender }: Omit<Trial, 'target'>) => `${question}/${contender}`;

/** Runs all trials in turns, so that changing load of the machine affects all of them. */
export async function runRounds(trials: readonly Trial[]): Promise<Results> {
  const results = new Map<string, Round[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const trial of trials) {
      const result = await load(trial.target, round === 0 ? WARM_UP_MS : ROUND_MS);
      const key = keyOf(trial);
      if (round > 0) results.set(key, [...(results.get(key) ?? []), result]);
    }
  }
  return results;
}

/** Two contenders whose rates are compared in each round. */
export interface Pair {
  readonly contender: string;
  readonly of: string;
}

/** Prints medians and spreads, the rate of each contender relative to `by-hand`, and the ratios of pairs. */
export function report(
  results: Results,
  questions: readonly string[],
  contenders: readonly string[],
  pairs: readonly Pair[] = [],
): void {
  for (const question of questions) {
    console.log(`\n${question}`);
    const reference = median(rates(results.get(keyOf({ question, contender: 'by-hand' }))));
    for (const contender of contenders) {
      const found = results.get(keyOf({ question, contender })) ?? [];
      const perSecond = rates(found);
      const spread = `${Math.min(...perSecond).toFixed(0)}..${Math.max(...perSecond).toFixed(0)}`;
      const share = (median(perSecond) / reference).toFixed(2);
      const latency = median(found.map(({ medianMs }) => medianMs)).toFixed(1);
      console.log(
        `  ${contender.padEnd(13)}${median(perSecond).toFixed(0).padStart(6)} requests/s  ` +
          `(${spread})`.padEnd(14) +
          `${share} of by-hand  median ${latency} ms`,
      );
    }
    for (const { contender, of } of pairs) {
      const others = rates(results.get(keyOf({ question, contender: of })));
      const shares = rates(results.get(keyOf({ question, contender }))).map(
        (rate, round) => rate / (others[round] ?? Number.NaN),
      );
      const spread = `${Math.min(...shares).toFixed(2)}..${Math.max(...shares).toFixed(2)}`;
      console.log(
        `  ${contender} is ${median(shares).toFixed(2)} of ${of}  (${spread}, round by round)`,
      );
    }
  }
}

function rates(found: readonly Round[] | undefined): readonly number[] {
  return (found ?? []).map(({ perSecond }) => perSecond);
}
