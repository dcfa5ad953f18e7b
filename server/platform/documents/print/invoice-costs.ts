import { Refusal } from '../../../http/answers/problem.ts';
import { sum } from '../decimal.ts';
import type { Row } from '../read/row-reader.ts';

/** Costs by kind: `amount` for numbers, `text` for other values. */
export interface Costs {
  readonly rows: readonly Row[];
  /** The total, when every cost is a number. */
  readonly total: string | undefined;
}

const none: Costs = { rows: [], total: undefined };

/** The maximum number of costs. Rendering more costs would delay other requests. */
const maxKinds = 1000;

/**
 * Reads a JSON object of costs by kind. Other JSON values are shown unchanged.
 * @throws Refusal 422 when there are too many costs, or they are nested too deeply
 */
export function parseCosts(json: string | undefined): Costs {
  if (json === undefined) return none;
  const value = parseExactly(json);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return none;
  const costs = Object.entries(value);
  if (costs.length > maxKinds) throw tooMuch();
  const rows = costs.map(([kind, cost]) => costOf(kind, cost));
  const amounts = rows.flatMap(({ amount }) => (typeof amount === 'string' ? [amount] : []));
  if (rows.length === 0) return none;
  return { rows, total: amounts.length === rows.length ? sum(amounts) : undefined };
}

function costOf(kind: string, cost: unknown): Row {
  if (cost instanceof ExactNumber) return { kind, amount: cost.text };
  return { kind, text: typeof cost === 'string' ? cost : JSON.stringify(cost) };
}

/** A number from JSON, with all of its digits. */
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
  // The third argument holds the digits; TypeScript's types do not know it yet.
  const revive = (_key: string, value: unknown, context?: { readonly source?: string }) => {
    const { source = '' } = context ?? {};
    return typeof value === 'number' && decimal.test(source) ? new ExactNumber(source) : value;
  };
  try {
    return JSON.parse(json, revive);
  } catch (error) {
    // Postgres has already validated the JSON. So a RangeError can only mean that its nesting is too deep for the
    // stack.
    throw error instanceof RangeError ? tooMuch() : error;
  }
}

function tooMuch(): Refusal {
  const detail = `the costs of the invoice are more than ${maxKinds}, or nested too deeply, and cannot be printed`;
  return new Refusal({ status: 422, code: 'row-limit-exceeded', detail });
}
