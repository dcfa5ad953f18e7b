import { createHash } from 'node:crypto';
import pg from 'pg';

/** What Postgres must know of a request. */
export interface RequestSettings {
  /** The Postgres role, taken from the model, never from a request. */
  readonly role: string;
  /** Every variable of the model. */
  readonly names: readonly string[];
  /** Those that the request carries; the others are set to ''. */
  readonly values: ReadonlyMap<string, string>;
}

interface SettingsQuery {
  readonly name: string;
  readonly text: string;
  readonly values: string[];
}

const FIXED: readonly (readonly [string, string])[] = [
  ['search_path', 'pg_catalog, pg_temp'],
  ['TimeZone', 'UTC'],
];

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
      ...settings.names.map((name) => settings.values.get(name) ?? ''),
    ],
  };
}

function textOf(names: readonly string[]): Pick<SettingsQuery, 'name' | 'text'> {
  const known = texts.get(names);
  if (known) return known;
  const calls = [
    ...FIXED.map(([name, value]) => call(name, pg.escapeLiteral(value))),
    ...['role', 'statement_timeout', ...names.map((name) => `gql.${name}`)].map((name, index) =>
      call(name, `$${index + 1}`),
    ),
  ];
  const text = `select ${calls.join(', ')}`;
  const made = { name: `s${createHash('sha256').update(text).digest('base64url')}`, text };
  texts.set(names, made);
  return made;
}

function call(name: string, value: string): string {
  return `pg_catalog.set_config(${pg.escapeLiteral(name)}, ${value}, true)`;
}
