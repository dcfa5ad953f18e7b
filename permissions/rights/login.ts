import type pg from 'pg';

/** The login that runs a command, with the rights that it has in this database as a whole. */
export interface CommandLogin {
  readonly name: string;
  readonly database: string;
  /** Version of Postgres as a number, e.g. 180004 for 18.4. */
  readonly serverVersion: number;
  readonly superuser: boolean;
  /** Whether it has the attribute CREATEROLE. */
  readonly createsRoles: boolean;
  /**
   * Whether it has the attribute INHERIT. Before Postgres 16, a login without it gets no rights from its memberships.
   */
  readonly inherits: boolean;
  /** Whether it may create schemas in this database. */
  readonly createsSchemas: boolean;
}

const query = `
select r.rolname as name, pg_catalog.current_database()::text as database,
  pg_catalog.current_setting('server_version_num')::int as "serverVersion", r.rolsuper as superuser,
  r.rolcreaterole as "createsRoles", r.rolinherit as inherits,
  pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE') as "createsSchemas"
from pg_catalog.pg_roles r where r.rolname = current_user`;

export async function readLogin(client: pg.ClientBase): Promise<CommandLogin> {
  const { rows } = await client.query<CommandLogin>(query);
  const [login] = rows;
  if (!login) throw new Error('the role of this connection does not exist any longer');
  return login;
}
