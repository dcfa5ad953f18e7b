import type { Result } from '../load/rounds.ts';
import { table } from '../load/table.ts';
import type { Figures } from '../load/trial.ts';
import { spread } from '../measure.ts';

/** A quotient of the figures of two contenders. */
interface Ratio {
  readonly title: string;
  readonly contender: string;
  readonly of: string;
  readonly figure: (figures: Figures) => number | undefined;
}

const serverTime = ({ serverUs }: Figures) => serverUs;
const rate = ({ perSecond }: Figures) => perSecond;

const ratios: readonly Ratio[] = [
  ...['raw-complete', 'before'].map((of) => ({
    ...{ title: `Node time ÷ ${of}`, contender: 'gateway', of, figure: serverTime },
  })),
  ...['before', 'by-hand', 'raw-floor', 'raw-onesync', 'pgbench', 'postgraphile'].map((of) => ({
    ...{ title: `rate ÷ ${of}`, contender: 'gateway', of, figure: rate },
  })),
  {
    title: 'rate of graphile ÷ postgraphile',
    ...{ contender: 'graphile', of: 'postgraphile', figure: rate },
  },
];

/** Returns a Markdown table of the quotients in each round: the median, the smallest and the largest. */
export function ratioTable(results: readonly Result[]): string {
  const names = new Set(results.map(({ contender }) => contender));
  const shown = ratios.filter(({ contender, of }) => names.has(contender) && names.has(of));
  const loads = Map.groupBy(
    results,
    ({ operation, connections }) => `${operation}, ${connections}`,
  );
  return table(
    ['operation, connections', ...shown.map(({ title }) => title)],
    [...loads].map(([load, compared]) => [load, ...shown.map((ratio) => show(ratio, compared))]),
  );
}

function show({ contender, of, figure }: Ratio, results: readonly Result[]): string {
  const roundsOf = (name: string) => results.find((result) => result.contender === name)?.rounds;
  const others = roundsOf(of);
  const quotients = (roundsOf(contender) ?? []).flatMap((figures, round) => {
    const other = others?.[round];
    const [value, divisor] = [figure(figures), other && figure(other)];
    return value === undefined || divisor === undefined ? [] : [value / divisor];
  });
  return quotients.length === 0 ? '–' : spread(quotients, 2);
}
