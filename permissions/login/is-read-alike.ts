import type pg from 'pg';
import { sqlState } from '../errors.ts';
import { typeSql } from '../expressions/print/print-operand.ts';
import { literal, type SqlText, sql } from '../text/sql-text.ts';
import type { TypeName } from '../types/names.ts';

/**
 * Two sets of settings that change how Postgres reads values. The sets differ in every setting, and any session may
 * change these settings.
 */
const sessions = [
  { timezone: 'UTC', datestyle: 'ISO, DMY', intervalstyle: 'iso_8601', array_nulls: 'off' },
  {
    timezone: 'Pacific/Kiritimati',
    ...{ datestyle: 'SQL, MDY', intervalstyle: 'sql_standard', array_nulls: 'on' },
  },
] as const;

/**
 * Returns whether a text is the same value of a type under all settings of a session. Otherwise a login could change
 * the meaning of its own session variables. Must run inside a transaction.
 */
export async function isReadAlike(
  client: pg.ClientBase,
  value: string,
  type: TypeName,
): Promise<boolean> {
  const text = (given: string) => sql`${literal(given)}::${typeSql(type)}::pg_catalog.text`;
  const [one, other] = sessions;
  const known = await valueUnder(client, one, text(value));
  if (known === undefined) return false;
  // `known` was written under the first settings, in a form with the same meaning under every setting. The given text
  // must be the same value under the second settings.
  const same = sql`(${text(value)} is not distinct from ${text(known)})::pg_catalog.text`;
  return (await valueUnder(client, other, same)) === 'true';
}

/**
 * Evaluates SQL under other settings, and restores the settings of the session. Returns undefined when Postgres cannot
 * read the text under them.
 */
async function valueUnder(
  client: pg.ClientBase,
  settings: Readonly<Record<string, string>>,
  value: SqlText,
): Promise<string | undefined> {
  await client.query('savepoint settings');
  try {
    for (const [name, setting] of Object.entries(settings)) {
      await client.query('select pg_catalog.set_config($1, $2, true)', [name, setting]);
    }
    const { rows } = await client.query<{ value: string }>(sql`select ${value} as value`.text);
    return rows[0]?.value;
  } catch (cause) {
    if (!/^2[23]/.test(sqlState(cause) ?? '')) throw cause;
    return undefined;
  } finally {
    await client.query('rollback to savepoint settings');
  }
}
