import type pg from 'pg';
import { CommandError, sqlState } from '../errors.ts';
import { dropNamedView } from '../objects/state/drop-named.ts';
import type { Installation } from '../objects/state/installation.ts';
import { ident, qualified, sql } from '../text/sql-text.ts';
import { listLogins } from './list-logins.ts';

/**
 * Drops the schemas of views of roles that no direct login has any longer, in the transaction of the caller.
 * @param roles Postgres roles that a removed login had
 */
export async function dropUnusedViews(
  client: pg.ClientBase,
  roles: readonly string[],
  installation: Installation,
): Promise<void> {
  const used = new Set((await listLogins(client, installation)).flatMap((login) => login.roles));
  for (const role of roles.filter((one) => !used.has(one))) {
    const [name, schema] = viewsOf(role, installation) ?? [];
    if (name === undefined || schema === undefined) continue;
    await dropViews(client, schema);
    await client.query(
      'update rowgate.installation set view_schemas = view_schemas - $1::pg_catalog.text',
      [name],
    );
  }
}

/** Returns the name of the role of the metadata and the schema of its views, from the name of its Postgres role. */
export function viewsOf(
  postgresRole: string,
  { gatewayRole, viewSchemas }: Installation,
): readonly [role: string, schema: string] | undefined {
  const prefix = gatewayRole?.replace(/gateway$/, '') ?? '';
  return [...viewSchemas].find(([role]) => `${prefix}${role}` === postgresRole);
}

async function dropViews(client: pg.ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind = 'v' order by c.oid desc`,
    [schema],
  );
  try {
    for (const { name } of rows)
      await client.query(dropNamedView(qualified({ schema, name })).text);
    await client.query(sql`drop schema if exists ${ident(schema)}`.text);
  } catch (cause) {
    if (sqlState(cause) !== '2BP01') throw cause;
    const what = ((cause as pg.DatabaseError).detail ?? '').replaceAll('\n', '; ');
    throw new CommandError('RG_LOGIN', `schema "${schema}" of views is in use: ${what}`, {
      hint: 'drop what depends on it, or move it to another schema',
      exitCode: 1,
      cause,
    });
  }
}
