import { CommandError } from '../errors.ts';
import { quote } from '../text/characters.ts';
import { ident, integer, literal, type SqlText, sql } from '../text/sql-text.ts';

/** Limits of a direct login that the server enforces; null: no such limit. */
export interface LoginLimits {
  /** Maximum number of connections. The login can change all other limits itself, but not this one. */
  readonly connections: number | null;
  /** A time in the syntax of Postgres, e.g. `60s`. */
  readonly statementTimeout: string | null;
  readonly idleInTransactionTimeout: string | null;
}

export const defaultLoginLimits: LoginLimits = {
  connections: 10,
  statementTimeout: '60s',
  idleInTransactionTimeout: '60s',
};

const maxConnections = 10_000;
/** The largest timeout that Postgres accepts, in milliseconds. */
const maxMilliseconds = 2 ** 31 - 1;
const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 };

/** Reads `--connection-limit`: a number, or `none`. @throws CommandError (exit 2) */
export function connectionLimit(text: string): number | null {
  if (text === 'none') return null;
  const connections = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (connections >= 1 && connections <= maxConnections) return connections;
  throw badLimit('--connection-limit', text, `a number from 1 to ${maxConnections}, or none`);
}

/** Reads a time with a unit, or `none`. @throws CommandError (exit 2) */
export function timeout(option: string, text: string): string | null {
  if (text === 'none') return null;
  const [, count = '', unit = ''] = /^(\d{1,10})(ms|s|min|h)$/.exec(text) ?? [];
  const milliseconds = Number(count) * (units[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= maxMilliseconds) return text;
  throw badLimit(option, text, 'a time of at most 24 days like 60s, 5min or 500ms, or none');
}

function badLimit(option: string, text: string, expected: string): CommandError {
  return new CommandError('RG_USAGE', `${option} is ${quote(text)}; it must be ${expected}`, {
    exitCode: 2,
  });
}

/** Returns the `alter role` statements that set the limits of a new login, which has none yet. */
export function limitStatements(login: string, limits: LoginLimits): readonly SqlText[] {
  const { connections, statementTimeout, idleInTransactionTimeout } = limits;
  const role = sql`alter role ${ident(login)}`;
  const set = (setting: SqlText, value: string | null) =>
    value === null ? [] : [sql`${role} set ${setting} = ${literal(value)}`];
  return [
    ...(connections === null ? [] : [sql`${role} connection limit ${integer(connections)}`]),
    ...set(sql`statement_timeout`, statementTimeout),
    ...set(sql`idle_in_transaction_session_timeout`, idleInTransactionTimeout),
    // Postgres cannot interrupt JIT compilation, so a statement could run longer than its statement_timeout.
    sql`${role} set jit = 'off'`,
  ];
}
