import type pg from 'pg';

/** The row of rowgate.installation, which describes what Rowgate has done in this database. */
export interface Installation {
  /**
   * Identifies the owner of Rowgate's roles in the cluster. A copy of a database has the same installation id, so this
   * id also contains the name of the database.
   */
  readonly id: string;
  /** The part of `id` that is equal in all copies of this database. */
  readonly origin: string;
  /** Name of the gateway's Postgres role; null before the first apply. */
  readonly gatewayRole: string | null;
  /** Fingerprint of the metadata of the last apply. */
  readonly fingerprint: string | null;
  /** Digest of every object that the last apply made. */
  readonly state: string | null;
  /** Schemas that hold views for direct logins, by name of the role. */
  readonly viewSchemas: ReadonlyMap<string, string>;
}

/**
 * The value before the first apply. At that time Rowgate owns no role, so a role with the name of one of its roles is
 * foreign.
 */
export const noInstallation: Installation = {
  id: 'new',
  origin: 'new',
  gatewayRole: null,
  fingerprint: null,
  state: null,
  viewSchemas: new Map(),
};

/**
 * Reads the record of the installation: from the table, or, when the login may not read the table, through the function
 * for gateways. Undefined when Rowgate's own migrations have not run.
 */
export async function readInstallation(client: pg.ClientBase): Promise<Installation | undefined> {
  const direct = await readsTables(client);
  if (direct === undefined) return undefined;
  const query = direct
    ? 'select pg_catalog.to_jsonb(i) as installation from rowgate.installation i'
    : 'select rowgate_api.installation() as installation';
  const { rows } = await client.query<{ installation: InstallationRow | null; database: string }>(
    `select t.installation, pg_catalog.current_database() as database from (${query}) t`,
  );
  const [row] = rows;
  if (!row?.installation) {
    throw new Error('rowgate.installation holds no row; restore it or start with a new database');
  }
  const { id, gateway_role, fingerprint, state, view_schemas } = row.installation;
  return {
    id: `${id} ${row.database}`,
    origin: id,
    gatewayRole: gateway_role,
    fingerprint,
    state: state ?? null,
    viewSchemas: new Map(Object.entries(view_schemas ?? {})),
  };
}

interface InstallationRow {
  readonly id: string;
  readonly gateway_role: string | null;
  readonly fingerprint: string | null;
  /** Absent in databases whose migrations are older than this column of the table. */
  readonly state?: string | null;
  /** Absent likewise. */
  readonly view_schemas?: Readonly<Record<string, string>>;
}

/** Returns whether the login may read Rowgate's own tables; undefined when they do not exist. */
export async function readsTables(client: pg.ClientBase): Promise<boolean | undefined> {
  const { rows } = await client.query<{ direct: boolean }>(`
    select pg_catalog.has_schema_privilege(n.oid, 'USAGE') as direct
    from pg_catalog.pg_namespace n join pg_catalog.pg_class c on c.relnamespace = n.oid
    where n.nspname = 'rowgate' and c.relname = 'installation'`);
  return rows[0]?.direct;
}
