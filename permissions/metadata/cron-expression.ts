interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Three letters each, the first for `least`. */
  readonly words: readonly string[];
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const days = 'sun mon tue wed thu fri sat'.split(' ');

const fields: readonly Field[] = [
  { name: 'minute', least: 0, most: 59, words: [] },
  { name: 'hour', least: 0, most: 23, words: [] },
  { name: 'day of the month', least: 1, most: 31, words: [] },
  { name: 'month', least: 1, most: 12, words: months },
  { name: 'day of the week', least: 0, most: 7, words: days },
];

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * What is wrong with a cron expression, as the end of a sentence; undefined where nothing is. Five fields: lists of
 * `*`, numbers, names of months and days, ranges, and steps; no seconds, no `@daily`, no letters of other dialects.
 */
export function cronProblem(text: string): string | undefined {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== fields.length) return `must have five fields and has ${parts.length}`;
  const values = fields.map((field, index) => valuesOf(parts[index] ?? '', field));
  const wrong = fields.find((_field, index) => !values[index]);
  if (wrong) {
    const index = fields.indexOf(wrong);
    return `has ${JSON.stringify(parts[index])} for the ${wrong.name}, which goes from ${wrong.least} to ${wrong.most}`;
  }
  const [, , ofMonth = [], inMonths = []] = values;
  const falls = inMonths.some((month) =>
    ofMonth.some((day) => day <= (daysInMonth[month - 1] ?? 0)),
  );
  return falls || parts[4] !== '*' ? undefined : 'names a day that no month has';
}

/** All that a field stands for; undefined where it is no field. */
function valuesOf(text: string, field: Field): readonly number[] | undefined {
  const items = text.split(',').map((item) => itemValues(item, field));
  return items.every((item) => item !== undefined) ? items.flat() : undefined;
}

function itemValues(text: string, field: Field): readonly number[] | undefined {
  const [, range = '', step] = /^(\*|\w+(?:-\w+)?)(?:\/(\d{1,4}))?$/.exec(text) ?? [];
  const by = step === undefined ? 1 : Number(step);
  // A step after a single number means different things to different readers.
  if (range === '' || by === 0 || by > field.most || (step && /^\w+$/.test(range)))
    return undefined;
  const [from, to = from] =
    range === '*' ? [field.least, field.most] : range.split('-').map((one) => numberOf(one, field));
  if (from === undefined || to === undefined || from > to) return undefined;
  return Array.from(
    { length: Math.floor((to - from) / by) + 1 },
    (_item, index) => from + index * by,
  );
}

function numberOf(text: string, { least, most, words }: Field): number | undefined {
  const word = words.indexOf(text.toLowerCase());
  const value = word >= 0 ? least + word : /^\d{1,2}$/.test(text) ? Number(text) : -1;
  return value >= least && value <= most ? value : undefined;
}

/** Whether a text names a time zone of the IANA database; offsets such as +01:00 know no summer time and do not count. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
