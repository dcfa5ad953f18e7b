import { Refusal } from '../../../http/problem.ts';
import { sum } from '../decimal.ts';
import type { Row } from '../read/reader.ts';

/** Costs by kind: `amount` where it is a number, else `text`. */
export interface Costs {
  readonly rows: readonly Row[];
  /** Where every cost is a number. */
  readonly total: string | undefined;
}

const none: Costs = { rows: [], total: undefined };

/** More would hold up everybody else while a page of them is made. */
const mostKinds = 1000;

/**
 * Reads a JSON object of costs by kind; whatever else stands there is shown as it is.
 * @throws Refusal 422 where there are too many, or one within the other deeper than can be read
 */
export function parseCosts(json: string | undefined): Costs {
  if (json === undefined) return none;
  const value = parseExactly(json);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return none;
  const costs = Object.entries(value);
  if (costs.length > mostKinds) throw tooMuch();
  const rows = costs.map(([kind, cost]) => costOf(kind, cost));
  const amounts = rows.flatMap(({ amount }) => (typeof amount === 'string' ? [amount] : []));
  if (rows.length === 0) return none;
  return { rows, total: amounts.length === rows.length ? sum(amounts) : undefined };
}

function costOf(kind: string, cost: unknown): Row {
  if (cost instanceof ExactNumber) return { kind, amount: cost.text };
  return { kind, text: typeof cost === 'string' ? cost : JSON.stringify(cost) };
}

/** A number of a JSON text, with all of its digits. */
class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): number {
    return Number(this.text);
  }
}

// jsonb writes numbers without exponents.
const decimal = /^-?\d+(\.\d+)?$/;

function parseExactly(json: string): unknown {
  // TypeScript does not know the third argument yet, which holds the digits.
  const revive = (_key: string, value: unknown, context?: { readonly source?: string }) => {
    const { source = '' } = context ?? {};
    return typeof value === 'number' && decimal.test(source) ? new ExactNumber(source) : value;
  };
  try {
    return JSON.parse(json, revive);
  } catch (error) {
    // Postgres has read it; only the stack ends.
    throw error instanceof RangeError ? tooMuch() : error;
  }
}

function tooMuch(): Refusal {
  const detail = `the costs of the invoice are more than ${mostKinds}, or nested too deeply, and cannot be printed`;
  return new Refusal({ status: 422, code: 'row-limit-exceeded', detail });
}
