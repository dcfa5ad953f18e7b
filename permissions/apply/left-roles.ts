import type pg from 'pg';
import { sqlState } from '../errors.ts';
import { type CopiedRole, leftRoleComment } from '../objects/state/copied-role.ts';
import type { Installation } from '../objects/state/installation.ts';
import { ident, literal, sql } from '../text/sql-text.ts';

/** A role that uninstall cannot drop, because objects of other databases name it. */
export interface KeptRole {
  readonly name: string;
  readonly databases: readonly string[];
}

/**
 * $1: names of roles. The query returns the roles that objects of other databases name, with the names of these
 * databases.
 */
const neededQuery = `
select g.rolname as name, pg_catalog.array_agg(distinct b.datname::text order by b.datname::text) as databases
from pg_catalog.pg_shdepend d
join pg_catalog.pg_roles g on g.oid = d.refobjid and d.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass
join pg_catalog.pg_database b on b.oid = d.dbid and b.datname <> pg_catalog.current_database()
where g.rolname = any ($1::text[]) group by 1 order by 1`;

/**
 * Disables the roles that Postgres refuses to drop because objects of another database name them, and returns these
 * roles. They can no longer log in. A comment marks them, so that the uninstall of the other database drops them.
 */
export async function keepNeeded(
  client: pg.ClientBase,
  names: readonly string[],
  { origin }: Installation,
): Promise<readonly KeptRole[]> {
  const { rows } = await client.query<KeptRole>(neededQuery, [names]);
  for (const { name } of rows) {
    await client.query(sql`alter role ${ident(name)} nologin`.text);
    await client.query(
      sql`comment on role ${ident(name)} is ${literal(leftRoleComment(origin))}`.text,
    );
  }
  return rows;
}

/**
 * Drops marked roles whose own database no longer exists or was uninstalled. A role stays while a copy of the database
 * still names it. Returns the names of the dropped roles.
 */
export async function dropLeftRoles(
  client: pg.ClientBase,
  copied: readonly CopiedRole[],
): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>('select datname as name from pg_database');
  const databases = new Set(rows.map(({ name }) => name));
  const left = copied.filter(({ database }) => database === undefined || !databases.has(database));
  const dropped: string[] = [];
  for (const { name } of left) if (await isDropped(client, name)) dropped.push(name);
  return dropped;
}

async function isDropped(client: pg.ClientBase, name: string): Promise<boolean> {
  await client.query('savepoint left_role');
  try {
    await client.query(sql`drop role ${ident(name)}`.text);
    return true;
  } catch (error) {
    if (!['2BP01', '42501'].includes(sqlState(error) ?? '')) throw error;
    await client.query('rollback to savepoint left_role');
    return false;
  }
}
