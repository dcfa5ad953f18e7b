import type pg from 'pg';
import { addressOf, dateOf, digestOf, numberOf, timeOf, uuidOf, wordOf } from './markers.ts';
import type { Column, Table } from './tables.ts';

/** The row and column for which a value is made. */
export interface Spot {
  readonly serial: number;
  /** The number of the row among the rows of its owner. Each row takes another value of a list. */
  readonly variant: number;
  /** Names the owner and the column, e.g. `other public.invoice.internal_notes`, to help a reader of a failed test. */
  readonly label: string;
}

/** Makes the text of a value for one row and column. */
export type Format = (spot: Spot) => string;

const capital = (number: number) => String.fromCharCode(65 + (number % 26));

/** Formats from the most descriptive to the shortest. The last four formats are too short to contain a marker. */
const texts: readonly Format[] = [
  ({ serial, label }) => `${wordOf(serial)} ${label}`,
  ({ serial }) => wordOf(serial),
  ({ serial }) => wordOf(serial).toUpperCase(),
  ({ serial }) => `${wordOf(serial)}@${wordOf(serial)}.example`,
  ({ serial }) => `${wordOf(serial).toUpperCase()}/QZQ`,
  ({ serial }) => `/${wordOf(serial)}`,
  ({ serial }) => `${wordOf(serial)}/${wordOf(serial)}`,
  ({ serial }) => wordOf(serial).repeat(5),
  ({ serial }) => digestOf(serial),
  ({ serial }) => String(9000 + (serial % 1000)),
  ({ serial }) => `Q${capital(serial)}${capital(Math.floor(serial / 26))}`,
  ({ serial }) => `Q${capital(serial)}`,
];

const numbers: readonly Format[] = [
  ({ serial }) => String(numberOf(serial)),
  ({ serial }) => String((serial % 99) + 1),
];

const byType: Readonly<Record<string, readonly Format[]>> = {
  uuid: [({ serial }) => uuidOf(serial)],
  date: [({ serial }) => dateOf(serial)],
  'timestamp with time zone': [({ serial }) => timeOf(serial)],
  'timestamp without time zone': [({ serial }) => timeOf(serial)],
  inet: [({ serial }) => addressOf(serial)],
  boolean: [({ variant }) => String(variant % 2 === 1)],
  jsonb: [({ serial }) => JSON.stringify({ [wordOf(serial)]: wordOf(serial) })],
  smallint: numbers,
  integer: numbers,
  bigint: numbers,
  numeric: numbers,
  text: texts,
  'text[]': [({ serial }) => `{${wordOf(serial)}}`],
};

/** Number of values in the list; 1 for a format without a list. */
export interface ColumnFormat {
  readonly make: Format;
  readonly variants: number;
}

/** Returns the first format that the type and the checks of the column accept. */
export async function chooseFormat(
  client: pg.Client,
  table: Table,
  column: Column,
): Promise<ColumnFormat> {
  const checks = table.checks.filter(
    ({ columns }) => columns.length === 1 && columns[0] === column.name,
  );
  const accepts = (value: string) => isAccepted(client, column, checks, value);
  const sample = { serial: 1, variant: 0, label: 'sample' };
  for (const make of byType[column.type.replace(/\(.*/, '')] ?? []) {
    if (await accepts(make(sample))) return { make, variants: 1 };
  }
  const allowed: string[] = [];
  for (const literal of checks.flatMap(({ expression }) => literalsIn(expression))) {
    if (await accepts(literal)) allowed.push(literal);
  }
  const [first] = allowed;
  if (first === undefined) {
    throw new Error(`formats.ts has no value for ${table.key}.${column.name} (${column.type})`);
  }
  return {
    make: ({ variant }) => allowed[variant % allowed.length] ?? first,
    variants: allowed.length,
  };
}

async function isAccepted(
  client: pg.Client,
  column: Column,
  checks: Table['checks'],
  value: string,
): Promise<boolean> {
  const holds = checks.map(({ expression }) => `coalesce(${expression}, true)`);
  try {
    const { rows } = await client.query(
      `select ${['true', ...holds].join(' and ')} as holds from (select $1::text::${column.type} as ${quoted(column.name)}) as t`,
      [value],
    );
    return rows[0].holds;
  } catch {
    // The type does not accept the value, so the next format is tried.
    return false;
  }
}

function literalsIn(expression: string): readonly string[] {
  return [...expression.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = '']) =>
    text.replaceAll("''", "'"),
  );
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
