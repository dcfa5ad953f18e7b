import type pg from 'pg';

/** The attributes of a Postgres role that matter for logins. */
export interface ClusterRole {
  readonly oid: string;
  readonly comment: string | null;
}

/** Returns the Postgres role with exactly this name, whether or not Rowgate created it; undefined if there is none. */
export async function findRole(
  client: pg.ClientBase,
  name: string,
): Promise<ClusterRole | undefined> {
  const { rows } = await client.query<ClusterRole>(
    `select r.oid::int8::text as oid, pg_catalog.shobj_description(r.oid, 'pg_authid') as comment
     from pg_catalog.pg_roles r where r.rolname = $1`,
    [name],
  );
  return rows[0];
}
