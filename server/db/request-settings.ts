import { createHash } from 'node:crypto';
import pg from 'pg';
import { networkOf } from '../network.ts';
import type { Share } from './fair-shares.ts';

/** What Postgres must know of a request. */
export interface RequestSettings {
  /** The Postgres role, taken from the model, never from a request. */
  readonly role: string;
  /** Where functions of the database find names; our own statements rely on none. */
  readonly searchPath: string;
  /** For one statement; absent: as long as any may take. */
  readonly statementTimeoutMs?: number;
  /** Every variable of the model. */
  readonly names: readonly string[];
  /** Those that the request carries; the others are set to ''. */
  readonly values: ReadonlyMap<string, string>;
  /** The client's address, by which callers without variables are told apart. */
  readonly address?: string | undefined;
  /** Who is one caller in whatever role; absent: callers are told apart by role. */
  readonly person?: string | undefined;
  /** How much the role may hold of what all requests share; absent: 1. */
  readonly weight?: number | undefined;
  /** Tables that a statement leads to, by an upper bound; absent: one. */
  readonly extent?: number;
  /** Of the body that the request holds. */
  readonly bytes?: number | undefined;
}

/** Whose share of connections and memory a request uses: its role, and the variables or the network of its caller. */
export function shareOf(settings: RequestSettings): Share {
  const { role, names, values, address, person, weight = 1 } = settings;
  const caller =
    values.size > 0
      ? names.map((name) => values.get(name) ?? '').join('\0')
      : networkOf(address ?? '');
  return { role, caller, person, weight };
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

/** The least that Postgres takes. */
const LEAST_WORK_MEM_KB = 64;

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
  return Math.max(LEAST_WORK_MEM_KB, Math.floor(SORT_MEMORY_KB / Math.max(extent, 1)));
}

/** Of a number of kilobytes and what the server, or its login, is set to. */
function lesserOfServers(kilobytes: string): string {
  const servers = `pg_catalog.pg_size_bytes(pg_catalog.current_setting('work_mem')) operator(pg_catalog./) 1024`;
  return `least(${servers}, ${kilobytes}::pg_catalog.int8)::pg_catalog.text`;
}

function call(name: string, value: string): string {
  return `pg_catalog.set_config(${pg.escapeLiteral(name)}, ${value}, true)`;
}
