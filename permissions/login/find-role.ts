import type pg from 'pg';

/** A role of the cluster, as far as logins are concerned. */
export interface ClusterRole {
  readonly oid: string;
  readonly comment: string | null;
}

/** The role of exactly this name, whoever made it. */
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
