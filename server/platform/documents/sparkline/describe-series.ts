import type { Format } from '../../../rendering/format.ts';
import { decimalOf, type Figure, type Figures } from './figures.ts';
import { currency, type Series } from './series.ts';

/** The formats of figures and days. */
export type SparklineFormat = Pick<Format, 'money' | 'percent' | 'date'>;

/** A text alternative that contains all facts of the picture. */
export interface Description {
  readonly title: string;
  readonly text: string;
}

export function describe(
  series: Series,
  figures: Figures | undefined,
  format: SparklineFormat,
): Description {
  const days = series.totals.length;
  const name = series.label === '' ? 'Wallet' : series.label;
  const title = `${name} (${series.coin}), last ${days} days in ${currency}`;
  if (!figures) return { title, text: `No data for these ${days} days.` };
  return { title, text: [...sentencesOf(figures, series, format)].join(' ') };
}

function* sentencesOf(
  figures: Figures,
  { firstDay, totals }: Series,
  format: SparklineFormat,
): Generator<string> {
  const { first, last, low, high, count } = figures;
  const worth = ({ cents }: Figure) => format.money(decimalOf(cents), currency);
  const worthOnDay = (figure: Figure) =>
    `${worth(figure)} on ${format.date(dayAfter(firstDay, figure.day))}`;
  if (count === 1) {
    yield `Only one day is known: ${worthOnDay(first)}.`;
  } else {
    yield `${movement(figures, format)}: first ${worthOnDay(first)}, last ${worthOnDay(last)}, low ${worth(low)}, high ${worth(high)}.`;
  }
  const unknown = totals.length - count;
  if (unknown > 0) yield `${unknown} of ${totals.length} days are not known.`;
}

function movement({ direction, change }: Figures, format: SparklineFormat): string {
  if (direction === 'level') return `Unchanged (${format.percent('0')})`;
  const verb = direction === 'up' ? 'Rose' : 'Fell';
  if (change === undefined) return `${verb} from nothing`;
  const size = change.replace('-', '');
  // A change that rounds to 0 % is printed as less than 0.01 %, because 0 % would mean no change.
  return `${verb} by ${size === '0.00' ? `less than ${format.percent('0.01')}` : format.percent(size)}`;
}

function dayAfter(firstDay: string, days: number): string {
  const day = new Date(`${firstDay}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}
