import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Conditions, Refusal, Write } from './attempts.ts';

/** Maps each kind of refusal to the SQLSTATE and message of Postgres, or to zero written rows. */
export const sqlRefusals: Readonly<Record<Refusal, RegExp>> = {
  'not allowed': /^42501 permission denied/,
  check: /^42501 new row violates row-level security/,
  key: /^23503 /,
  variable: /^(RG001 missing session variable|0 rows$)/,
};

const operators: Readonly<Record<string, string>> = { _eq: '=', _neq: '<>', _gt: '>' };

/** Returns a write as an SQL statement. */
export function sqlOf(write: Write): string {
  const table = `public.${escapeIdentifier(write.table)}`;
  if (write.kind === 'insert') {
    const names = Object.keys(write.values).map(escapeIdentifier).join(', ');
    return `insert into ${table} (${names}) values (${Object.values(write.values).map(literal).join(', ')})`;
  }
  const where = `where ${conditionSql(write.where)}`;
  if (write.kind === 'delete') return `delete from ${table} ${where}`;
  const set = Object.entries(write.set).map(
    ([name, value]) => `${escapeIdentifier(name)} = ${literal(value)}`,
  );
  return `update ${table} set ${set.join(', ')} ${where}`;
}

function conditionSql(where: Conditions): string {
  const all = Object.entries(where).flatMap(([name, conditions]) =>
    Object.entries(conditions).map(([operator, value]) =>
      comparison(escapeIdentifier(name), operator, value),
    ),
  );
  return all.length === 0 ? 'true' : all.join(' and ');
}

function comparison(column: string, operator: string, value: unknown): string {
  if (operator === '_is_null') return `${column} is ${value === true ? '' : 'not '}null`;
  if (Array.isArray(value)) {
    const list = value.map(literal).join(', ');
    return `${column} ${operator === '_nin' ? 'not ' : ''}in (${list})`;
  }
  const symbol = operators[operator];
  if (symbol === undefined) throw new Error(`${operator} is not an operator of the facts`);
  return `${column} ${symbol} ${literal(value)}`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? escapeLiteral(value) : String(value);
}
