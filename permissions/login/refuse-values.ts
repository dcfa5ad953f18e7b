import type pg from 'pg';
import { CommandError, sqlState } from '../errors.ts';
import { typeSql } from '../expressions/print/print-operand.ts';
import { headerOf } from '../text/names.ts';
import { literal, sql } from '../text/sql-text.ts';
import type { VariableUse } from '../types/names.ts';
import { usesOf } from './bind-variables.ts';
import { isReadAlike } from './is-read-alike.ts';
import type { NewLogin } from './new-login.ts';

/**
 * Refuses values that Postgres cannot read as the type that a rule expects, which only Postgres knows for domains and
 * types of extensions. Also refuses values whose meaning the login could change by its settings.
 */
export async function refuseValues(client: pg.ClientBase, login: NewLogin): Promise<void> {
  const uses = usesOf(login.role).filter((use) => login.variables.has(use.variable));
  for (const use of uses) {
    await refuseUnfitValue(client, use, login);
    await refuseUnsteadyValue(client, use, login);
  }
}

async function refuseUnfitValue(
  client: pg.ClientBase,
  { variable, type }: VariableUse,
  { variables, role, headerPrefix }: NewLogin,
): Promise<void> {
  const value = literal(variables.get(variable) ?? '');
  try {
    await client.query(sql`select ${value}::${typeSql(type)}`.text);
  } catch (cause) {
    if (!/^2[23]/.test(sqlState(cause) ?? '')) throw cause;
    const header = headerOf(variable, headerPrefix);
    throw new CommandError(
      'RG_BAD_VARIABLE',
      `Postgres does not take ${header} for a ${type.name}, as a rule of role ${role.name} reads it: ${(cause as Error).message}`,
      { exitCode: 2, cause },
    );
  }
}

/** Refuses a value that Postgres reads differently under other settings, because the login may change its settings. */
async function refuseUnsteadyValue(
  client: pg.ClientBase,
  { variable, type }: VariableUse,
  { variables, role, headerPrefix }: NewLogin,
): Promise<void> {
  const value = variables.get(variable) ?? '';
  if (await isReadAlike(client, value, type)) return;
  throw new CommandError(
    'RG_BAD_VARIABLE',
    `${headerOf(variable, headerPrefix)} is "${value}", which is one ${type.name} or another as the settings of the login are, and a rule of role ${role.name} reads it`,
    {
      hint: 'write moments with their time zone, such as 2030-01-31T12:00Z, and dates like 2030-01-31',
      exitCode: 2,
    },
  );
}
