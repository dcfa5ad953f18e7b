import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Share } from './fair-shares.ts';

/** Everything that the pool needs to run a request: settings for Postgres, and the caller's share. */
export interface RequestSettings {
  /** The Postgres role, taken from the model, never from a request. */
  readonly role: string;
  /** Where functions of the database find names; our own statements rely on none. */
  readonly searchPath: string;
  /** For one statement; absent: as long as any may take. */
  readonly statementTimeoutMs?: number;
  /** Every variable of the model. */
  readonly names: readonly string[];
  /** The variables that the request carries; the others are set to ''. */
  readonly values: ReadonlyMap<string, string>;
  /** The caller's share of what all requests divide among themselves. */
  readonly share: Share;
  /** Tables that a statement leads to, by an upper bound; absent: one. */
  readonly extent?: number;
  /** Size of the body that the request holds. */
  readonly bytes?: number | undefined;
}

/** Set in every transaction of a request, whatever the server is set to. */
const FIXED = [
  ['TimeZone', 'UTC'],
  // No timeout stops LLVM while it compiles.
  ['jit', 'off'],
  // A request takes one backend. Workers would each have memory and time of their own.
  ['max_parallel_workers_per_gather', '0'],
  // As it is by default from Postgres 15 on.
  ['hash_mem_multiplier', '2'],
] as const;

/** Kilobytes of `work_mem` that one statement may take for all of its sorts, and twice as many for all of its hashes. */
const SORT_MEMORY_KB = 32 * 1024;

/** Postgres accepts no smaller value. */
const MIN_WORK_MEM_KB = 64;

interface SettingsQuery {
  readonly name: string;
  readonly text: string;
  readonly values: string[];
}

const texts = new WeakMap<readonly string[], Pick<SettingsQuery, 'name' | 'text'>>();

/** One statement that sets role, variables and limits for the transaction it runs in. */
export function makeSettingsQuery(
  settings: RequestSettings,
  statementTimeout: string,
): SettingsQuery {
  return {
    ...textOf(settings.names),
    values: [
      settings.role,
      statementTimeout,
      settings.searchPath,
      String(workMemKb(settings.extent ?? 1)),
      ...settings.names.map((name) => settings.values.get(name) ?? ''),
    ],
  };
}

function textOf(names: readonly string[]): Pick<SettingsQuery, 'name' | 'text'> {
  const known = texts.get(names);
  if (known) return known;
  const given = ['role', 'statement_timeout', 'search_path'];
  const variables = names.map((name) => `gql.${name}`);
  const calls = [
    ...FIXED.map(([name, value]) => call(name, pg.escapeLiteral(value))),
    ...given.map((name, index) => call(name, `$${index + 1}`)),
    call('work_mem', lesserOfServers(`$${given.length + 1}`)),
    ...variables.map((name, index) => call(name, `$${given.length + 2 + index}`)),
  ];
  const text = `select ${calls.join(', ')}`;
  const made = { name: `s${createHash('sha256').update(text).digest('base64url')}`, text };
  texts.set(names, made);
  return made;
}

// Each sort and each hash may take `work_mem`, and a statement has one of them at most for most tables that it reads.
function workMemKb(extent: number): number {
  return Math.max(MIN_WORK_MEM_KB, Math.floor(SORT_MEMORY_KB / Math.max(extent, 1)));
}

/** Of a number of kilobytes and what the server, or its login, is set to. */
function lesserOfServers(kilobytes: string): string {
  const servers = `pg_catalog.pg_size_bytes(pg_catalog.current_setting('work_mem')) operator(pg_catalog./) 1024`;
  return `least(${servers}, ${kilobytes}::pg_catalog.int8)::pg_catalog.text`;
}

function call(name: string, value: string): string {
  return `pg_catalog.set_config(${pg.escapeLiteral(name)}, ${value}, true)`;
}
