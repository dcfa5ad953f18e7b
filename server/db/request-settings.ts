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
  /** How much the role may hold of what all requests share; absent: 1. */
  readonly weight?: number | undefined;
}

/** Whose share of connections and memory a request uses: its role, and the variables or the network of its caller. */
export function shareOf({ role, names, values, address, weight = 1 }: RequestSettings): Share {
  const caller =
    values.size > 0
      ? names.map((name) => values.get(name) ?? '').join('\0')
      : networkOf(address ?? '');
  return { role, caller, weight };
}

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
      ...settings.names.map((name) => settings.values.get(name) ?? ''),
    ],
  };
}

function textOf(names: readonly string[]): Pick<SettingsQuery, 'name' | 'text'> {
  const known = texts.get(names);
  if (known) return known;
  const given = ['role', 'statement_timeout', 'search_path', ...names.map((name) => `gql.${name}`)];
  const calls = [
    call('TimeZone', pg.escapeLiteral('UTC')),
    ...given.map((name, index) => call(name, `$${index + 1}`)),
  ];
  const text = `select ${calls.join(', ')}`;
  const made = { name: `s${createHash('sha256').update(text).digest('base64url')}`, text };
  texts.set(names, made);
  return made;
}

function call(name: string, value: string): string {
  return `pg_catalog.set_config(${pg.escapeLiteral(name)}, ${value}, true)`;
}
