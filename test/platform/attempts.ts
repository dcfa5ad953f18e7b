import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { type DemoCaller, organizationId } from './caller.ts';

/** A value in the short form of writes/*.yaml, e.g. `203` for an id of the demo data, `alder` for an organization. */
type Value = string | number | boolean | null;
type Values = Readonly<Record<string, Value>>;

/** Maps columns to conditions. A value without an operator means `_eq`. */
type Where = Readonly<Record<string, Value | Readonly<Record<string, Value | readonly Value[]>>>>;

/** The reason why a write changes no row. The reason is the same in SQL and over HTTP. */
export type Refusal =
  /** The role has no such rule, or the rule does not allow the column. */
  | 'not allowed'
  /** The role may not write the row, or the row refers to a row that the role does not see. */
  | 'check'
  /** A foreign key refers to a missing row or to another organization. */
  | 'key'
  /** A session variable that a rule needs is missing. */
  | 'variable';

interface RawAttempt {
  readonly fact: string;
  readonly who?: DemoCaller & { readonly as: string };
  readonly insert?: { readonly into: string; readonly values: Values };
  readonly update?: { readonly table: string; readonly where: Where; readonly set: Values };
  readonly delete?: { readonly from: string; readonly where: Where };
  /** Number of written rows. */
  readonly affects?: number;
  readonly refused?: Refusal;
}

interface RawGroup {
  readonly about: string;
  /** The caller, unless a fact names another one. */
  readonly who: DemoCaller & { readonly as: string };
  readonly facts: readonly RawAttempt[];
}

/** A write independent of SQL and GraphQL. Ids are complete. */
export type Write =
  | { readonly kind: 'insert'; readonly table: string; readonly values: Values }
  | {
      readonly kind: 'update';
      readonly table: string;
      readonly where: Conditions;
      readonly set: Values;
    }
  | { readonly kind: 'delete'; readonly table: string; readonly where: Conditions };

/** Maps each column to its operators, as in GraphQL, with their values. */
export type Conditions = Readonly<
  Record<string, Readonly<Record<string, Value | readonly Value[]>>>
>;

/** A write that a role attempts, and the expected result. */
export interface Attempt {
  readonly fact: string;
  readonly role: string;
  readonly who: DemoCaller;
  readonly write: Write;
  readonly expected: { readonly affects: number } | { readonly refused: Refusal };
}

export interface Group {
  readonly about: string;
  readonly facts: readonly Attempt[];
}

/** The first part of ids in the demo data. `-0000-4000-8000-` and a number follow. */
const idPrefixes: Readonly<Record<string, string>> = {
  digital_wallet: '10000000',
  address_book_entry: '20000000',
  invoice: '30000000',
  fund: '40000000',
  fund_subscription: '50000000',
  otc_quote: '60000000',
  invoice_line: '70000000',
  invoice_payment: '71000000',
  trade_request: '80000000',
  trade_settlement: '81000000',
  asset_transaction: '82000000',
  fiat_deposit_request: '83000000',
  fiat_withdrawal_request: '84000000',
  kyc_profile: '90000000',
  kyc_document: '91000000',
  case: 'a0000000',
  case_document: 'a1000000',
  uploaded_file: 'b0000000',
  card: 'c0000000',
  report: 'd1000000',
  notification: 'e0000000',
};

const folder = path.join(import.meta.dirname, 'writes');

/** Returns SQL that inserts the drafts to which the attempts refer. The owner runs it before all attempts. */
export function readDrafts(): string {
  return readFileSync(path.join(import.meta.dirname, 'drafts.sql'), 'utf8');
}

/** Returns every attempted write of writes/*.yaml with its title, grouped by subject. */
export function readAttempts(): readonly Group[] {
  return readdirSync(folder)
    .flatMap((name) => parse(readFileSync(path.join(folder, name), 'utf8')) as readonly RawGroup[])
    .map(({ about, who, facts }) => ({ about, facts: facts.map((raw) => attemptOf(raw, who)) }));
}

function attemptOf(raw: RawAttempt, usual: RawGroup['who']): Attempt {
  const { as: role, ...who } = raw.who ?? usual;
  const { fact, affects = 0, refused } = raw;
  return { fact, role, who, write: writeOf(raw), expected: refused ? { refused } : { affects } };
}

function writeOf({ fact, insert, update, delete: remove }: RawAttempt): Write {
  if (insert) {
    const { into: table, values } = insert;
    return { kind: 'insert', table, values: spelledValues(table, values) };
  }
  if (update) {
    const { table, where, set } = update;
    const conditions = spelledWhere(table, where);
    return { kind: 'update', table, where: conditions, set: spelledValues(table, set) };
  }
  if (!remove) throw new Error(`nothing is written: ${fact}`);
  return { kind: 'delete', table: remove.from, where: spelledWhere(remove.from, remove.where) };
}

function spelledValues(table: string, values: Values): Values {
  const entries = Object.entries(values);
  return Object.fromEntries(entries.map(([name, value]) => [name, spelled(table, name, value)]));
}

function spelledWhere(table: string, where: Where): Conditions {
  return Object.fromEntries(
    Object.entries(where).map(([name, given]) => {
      const conditions = typeof given === 'object' && given !== null ? given : { _eq: given };
      const of = (value: Value) => spelled(table, name, value);
      const entries = Object.entries(conditions).map(([operator, value]) => [
        operator,
        Array.isArray(value) ? value.map(of) : of(value as Value),
      ]);
      return [name, Object.fromEntries(entries)];
    }),
  );
}

/** Returns complete ids for the short names of people, organizations and rows in the facts. */
function spelled(table: string, column: string, value: Value): Value {
  const leadsTo = column === 'id' ? table : column.replace(/_id$/, '');
  if (typeof value === 'number' && leadsTo in idPrefixes) {
    return `${idPrefixes[leadsTo]}-0000-4000-8000-${String(value).padStart(12, '0')}`;
  }
  if (typeof value !== 'string') return value;
  if (leadsTo === 'organization') return organizationId(value);
  return leadsTo === 'user' && /^\w+-\w+$/.test(value) ? `local|${value}` : value;
}
