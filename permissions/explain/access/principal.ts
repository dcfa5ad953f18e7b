import type pg from 'pg';
import { compiledRoles } from '../../objects/roles/role.ts';
import { systemRoles } from '../../text/object-names.ts';
import { identifiers, join, literal, sql } from '../../text/sql-text.ts';
import type { Model, RoleModel } from '../../types/model.ts';
import type { VariableName } from '../../types/names.ts';

/** The caller whose access is explained: a role with session variables. */
export interface Principal {
  readonly role: RoleModel;
  readonly variables: ReadonlyMap<VariableName, string>;
}

/**
 * Sets the session variables of a principal, and lets the login act as every role, until the transaction ends. Policies
 * read session variables only in sessions of a member of the gateway role, see `readVariable`.
 */
export async function setPrincipal(
  client: pg.ClientBase,
  { variables }: Principal,
  model: Model,
): Promise<void> {
  const roles = [...compiledRoles(model), systemRoles(model).gateway];
  const settings = model.variables.map((name) => {
    const value = variables.get(name) ?? '';
    return sql`pg_catalog.set_config(${literal(`gql.${name}`)}, ${literal(value)}, true)`;
  });
  await client.query(sql`grant ${identifiers(roles)} to current_user`.text);
  if (settings.length > 0) await client.query(sql`select ${join(settings, ', ')}`.text);
}

/** Runs work as the Postgres role of a principal, and undoes all that it changed. */
export async function asPrincipal<T>(
  client: pg.ClientBase,
  { role }: Principal,
  work: () => Promise<T>,
): Promise<T> {
  await client.query('savepoint rowgate_explain');
  try {
    await client.query(
      sql`select pg_catalog.set_config('role', ${literal(role.postgresName)}, true)`.text,
    );
    return await work();
  } finally {
    await client.query('rollback to savepoint rowgate_explain');
  }
}
