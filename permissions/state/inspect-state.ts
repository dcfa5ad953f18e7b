import type pg from 'pg';
import { stateId } from '../compile/desired.ts';
import { roleComment, roleDefinition } from '../compile/roles.ts';
import { ident, sql } from '../sql/sql-text.ts';
import { type Context, found } from './found.ts';
import { functions, policies, rowSecurity, triggers, views } from './inspect-guards.ts';
import { executes, grants, memberships, schemas } from './inspect-rights.ts';
import { rolesQuery } from './inspect-sql.ts';
import { fingerprintDefinition, type Installation } from './installation.ts';
import type { StateQuery } from './state-query.ts';
import type { FoundObject } from './types.ts';

/** A role that stands where one of ours should, but is not ours. */
export interface ForeignRole {
  readonly name: string;
  readonly comment: string | null;
}

export interface FoundState {
  readonly objects: readonly FoundObject[];
  readonly foreignRoles: readonly ForeignRole[];
  /** Our roles that can do what no rule of Postgres stops: superuser, BYPASSRLS, replication, CREATEDB, and that only their like may take away. */
  readonly powerfulRoles: readonly string[];
  readonly loginExists: boolean;
}

interface RoleRow {
  oid: string;
  name: string;
  login: boolean;
  inherit: boolean;
  powerful: boolean;
  creates: boolean;
  comment: string | null;
}

/** Reads what of our making the database holds. The connection's search_path must be `pg_catalog, pg_temp`. */
export async function inspectState(client: pg.ClientBase, query: StateQuery): Promise<FoundState> {
  const ourComment = roleComment(query.installation.id);
  const wanted = [...new Set([...query.roles, query.login])];
  const { rows } = await client.query<RoleRow>(rolesQuery, [wanted, ourComment]);
  const login = rows.find((row) => row.name === query.login);
  const foreignLogin =
    login !== undefined && !query.roles.includes(query.login) && login.comment !== ourComment;
  const roles = rows.filter((row) => row !== login || !foreignLogin);
  const ours = roles.filter((row) => row.comment === ourComment);
  const context: Context = {
    client,
    query,
    oids: [...ours.map((row) => row.oid), ...(login && foreignLogin ? [login.oid] : [])],
    exclusiveOids: ours
      .filter((row) => query.exclusiveRoles.includes(row.name))
      .map((row) => row.oid),
    loginOid: login?.oid,
    foreignLogin,
  };
  const objects = [
    ...ours.map(roleFound),
    ...(await memberships(context)),
    ...(await schemas(context)),
    ...(await rowSecurity(context)),
    ...(await views(context)),
    ...(await functions(context)),
    ...(await grants(context)),
    ...(await executes(context)),
    ...(await policies(context)),
    ...(await triggers(context)),
    ...fingerprint(query.installation),
  ];
  return {
    objects,
    foreignRoles: roles.filter((row) => row.comment !== ourComment),
    loginExists: login !== undefined,
    powerfulRoles: rows.filter((row) => row.powerful).map((row) => row.name),
  };
}

function roleFound(row: RoleRow): FoundObject {
  const definition = roleDefinition(row.login && !row.inherit);
  const odd = row.login && row.inherit ? 'login inherit' : definition;
  return found({
    kind: 'role',
    id: stateId.role(row.name),
    label: `role ${row.name}`,
    definition: row.creates ? `${odd} creates` : odd,
    drop: [sql`drop role ${ident(row.name)}`],
    tampered: row.creates || (row.login && row.inherit),
  });
}

function fingerprint(installation: Installation): readonly FoundObject[] {
  if (installation.fingerprint === null) return [];
  return [
    found({
      kind: 'fingerprint',
      id: stateId.fingerprint(),
      label: 'fingerprint of the metadata',
      definition: fingerprintDefinition(installation),
      drop: [
        sql`update rowgate.installation set gateway_role = null, fingerprint = null, applied_at = null`,
      ],
    }),
  ];
}
