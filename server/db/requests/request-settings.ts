import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Share } from './fairness/fair-shares.ts';

/** The Postgres settings of a request and the share of its caller. */
export interface RequestSettings {
  /** The Postgres role, taken from the model, never from a request. */
  readonly role: string;
  /** The search path for database functions. Rowgate's own statements qualify all names. */
  readonly searchPath: string;
  /** The time limit of one statement; absent: the default limit. */
  readonly statementTimeoutMs?: number;
  /** The names of all session variables that the model uses. */
  readonly names: readonly string[];
  /** The session variables of the request. All others are set to ''. */
  readonly values: ReadonlyMap<string, string>;
  /** All session variables of the request as a JSON object, for functions that take them; absent: no function does. */
  readonly session?: string | undefined;
  /** Identifies the caller for the fair division of resources. */
  readonly share: Share;
  /** An upper bound for the number of tables that a statement reads; absent: one. */
  readonly extent?: number;
  /** The size of the request's body. */
  readonly bytes?: number | undefined;
}

/** The Postgres setting that counts the bytes of the answers of all statements of a transaction. */
export const ANSWER_BYTES_SETTING = 'rowgate.answer_bytes';

/** Set in every transaction of a request, whatever the settings of the Postgres server are. */
const FIXED = [
  ['TimeZone', 'UTC'],
  // Just-in-time compilation is off, because a timeout cannot interrupt it.
  ['jit', 'off'],
  // Parallel workers would use additional memory and processor time.
  ['max_parallel_workers_per_gather', '0'],
  // The default since Postgres 15, set for Postgres 14 too.
  ['hash_mem_multiplier', '2'],
  // A database function could set it for the whole session.
  [ANSWER_BYTES_SETTING, '0'],
] as const;

/** The `work_mem` that all sorts of one statement may use together, in kilobytes; hashes may use twice as much. */
const SORT_MEMORY_KB = 32 * 1024;

/** Postgres accepts no smaller value. */
const MIN_WORK_MEM_KB = 64;

/** The statement that sets role, session variables and limits, with its values. */
export interface SettingsQuery {
  readonly name: string;
  readonly text: string;
  readonly values: string[];
  readonly isSilent: true;
}

/**
 * The Postgres setting that passes `RequestSettings.session` to functions. Its prefix differs from the variables'
 * prefix, so that no variable has this name.
 */
export const SESSION_SETTING = 'rowgate.session';

type QueryText = Pick<SettingsQuery, 'name' | 'text'>;

/** Cache of the texts by the list of variables, for transactions that only read and for all others. */
const texts = {
  readOnly: new WeakMap<readonly string[], QueryText>(),
  other: new WeakMap<readonly string[], QueryText>(),
};

/**
 * Makes the statement that sets role, session variables and limits for its transaction.
 * @param isReadOnly whether it also makes the transaction read-only
 */
export function makeSettingsQuery(
  settings: RequestSettings,
  statementTimeout: string,
  isReadOnly: boolean,
): SettingsQuery {
  const { role, searchPath, extent = 1, names, session = '' } = settings;
  const { name, text } = textOf(names, isReadOnly);
  const values = [role, statementTimeout, searchPath, String(workMemKb(extent))];
  for (const variable of names) values.push(settings.values.get(variable) ?? '');
  // Set even for requests without it, so that no session keeps a value of another request.
  values.push(session);
  return { name, text, values, isSilent: true };
}

function textOf(names: readonly string[], isReadOnly: boolean): QueryText {
  const made = texts[isReadOnly ? 'readOnly' : 'other'];
  const known = made.get(names);
  if (known) return known;
  const given = ['role', 'statement_timeout', 'search_path'];
  const variables = [...names.map((name) => `gql.${name}`), SESSION_SETTING];
  const calls = [
    ...(isReadOnly ? [call('transaction_read_only', "'on'")] : []),
    ...FIXED.map(([name, value]) => call(name, pg.escapeLiteral(value))),
    ...given.map((name, index) => call(name, `$${index + 1}`)),
    call('work_mem', atMostServerSetting(`$${given.length + 1}`)),
    ...variables.map((name, index) => call(name, `$${given.length + 2 + index}`)),
  ];
  const text = `select ${calls.join(', ')}`;
  const query = { name: `s${createHash('sha256').update(text).digest('base64url')}`, text };
  made.set(names, query);
  return query;
}

// Each sort and each hash may use `work_mem`. A statement usually has at most one of them for each table that it reads.
function workMemKb(extent: number): number {
  return Math.max(MIN_WORK_MEM_KB, Math.floor(SORT_MEMORY_KB / Math.max(extent, 1)));
}

/** Returns SQL for the smaller of `kilobytes` and the `work_mem` that is set for the server or the login. */
function atMostServerSetting(kilobytes: string): string {
  const servers = `pg_catalog.pg_size_bytes(pg_catalog.current_setting('work_mem')) operator(pg_catalog./) 1024`;
  return `least(${servers}, ${kilobytes}::pg_catalog.int8)::pg_catalog.text`;
}

function call(name: string, value: string): string {
  return `pg_catalog.set_config(${pg.escapeLiteral(name)}, ${value}, true)`;
}
