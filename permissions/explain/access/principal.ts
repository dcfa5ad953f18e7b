import type pg from 'pg';
import { joinRoles, type RequestScope, setRequest } from '../../rights/act-as.ts';
import { undone } from '../../rights/savepoints.ts';
import { ident, identifiers, literal, qualified, sql } from '../../text/sql-text.ts';
import type { RoleModel } from '../../types/model.ts';
import type { VariableName } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';

/** The caller whose access is explained: a role with session variables. */
export interface Principal {
  readonly role: RoleModel;
  readonly variables: ReadonlyMap<VariableName, string>;
}

/** Sets the settings of a request of a principal, and lets the login act as every role, until the transaction ends. */
export async function setPrincipal(
  client: pg.ClientBase,
  principal: Principal,
  scope: RequestScope,
): Promise<void> {
  await joinRoles(client, scope.model);
  await setRequest(client, principal, scope);
}

/** Runs work as the Postgres role of a principal, and undoes all that it changed. */
export async function asPrincipal<T>(
  client: pg.ClientBase,
  { role }: Principal,
  work: () => Promise<T>,
): Promise<T> {
  return undone(client, async () => {
    await client.query(
      sql`select pg_catalog.set_config('role', ${literal(role.postgresName)}, true)`.text,
    );
    return work();
  });
}

/**
 * Runs work like `asPrincipal`, with the right to read columns of a table by which statements name rows. The rules may
 * hide these columns; the right changes no policy. Views give no such right, because no policy applies to them.
 */
export async function asPrincipalNaming<T>(
  client: pg.ClientBase,
  principal: Principal,
  { table, columns }: { readonly table: TableModel; readonly columns: readonly string[] },
  work: () => Promise<T>,
): Promise<T> {
  return undone(client, async () => {
    if (!table.view && columns.length > 0) {
      const role = ident(principal.role.postgresName);
      const right = sql`grant select (${identifiers(columns)}) on ${qualified(table)} to ${role}`;
      await client.query(right.text);
    }
    return asPrincipal(client, principal, work);
  });
}
