import type pg from 'pg';

/** The row of rowgate.installation. */
export interface Installation {
  /**
   * Identifies the owner of the roles: the installation's id and the database's name, since a copy of a database has
   * the same id.
   */
  readonly id: string;
  /** Null before the first apply. */
  readonly gatewayRole: string | null;
  /** Fingerprint of the metadata that was applied last. */
  readonly fingerprint: string | null;
  /** Digest of every object that the last apply asked of this database. */
  readonly state: string | null;
}

/** Before the first apply. A role with the name of one of ours then belongs to others. */
export const noInstallation: Installation = {
  id: 'new',
  gatewayRole: null,
  fingerprint: null,
  state: null,
};

/**
 * Reads the table or, for a login that may not, the function for gateways. Undefined where Rowgate's own migrations
 * did not run.
 */
export async function readInstallation(client: pg.ClientBase): Promise<Installation | undefined> {
  const direct = await readsTables(client);
  if (direct === undefined) return undefined;
  const told = direct
    ? 'select pg_catalog.to_jsonb(i) as told from rowgate.installation i'
    : 'select rowgate_api.installation() as told';
  const { rows } = await client.query<{ told: Told | null; database: string }>(
    `select t.told, pg_catalog.current_database() as database from (${told}) t`,
  );
  const [row] = rows;
  if (!row?.told) {
    throw new Error('rowgate.installation holds no row; restore it or start with a new database');
  }
  const { id, gateway_role, fingerprint, state } = row.told;
  return {
    id: `${id} ${row.database}`,
    gatewayRole: gateway_role,
    fingerprint,
    state: state ?? null,
  };
}

interface Told {
  readonly id: string;
  readonly gateway_role: string | null;
  readonly fingerprint: string | null;
  /** Absent until the migration that adds it ran. */
  readonly state?: string | null;
}

/** Whether the login may read Rowgate's own tables; undefined where there are none. */
export async function readsTables(client: pg.ClientBase): Promise<boolean | undefined> {
  const { rows } = await client.query<{ direct: boolean }>(`
    select pg_catalog.has_schema_privilege(n.oid, 'USAGE') as direct
    from pg_catalog.pg_namespace n join pg_catalog.pg_class c on c.relnamespace = n.oid
    where n.nspname = 'rowgate' and c.relname = 'installation'`);
  return rows[0]?.direct;
}
