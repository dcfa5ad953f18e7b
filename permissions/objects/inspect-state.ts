import type pg from 'pg';
import { ident, sql } from '../text/sql-text.ts';
import { stateId } from './desired.ts';
import { type Context, found } from './found.ts';
import { functions, policies, rowSecurity, triggers, views } from './inspect-guards.ts';
import { executes, grants, memberships, schemas } from './inspect-rights.ts';
import { rolesQuery } from './inspect-sql.ts';
import { statistics } from './inspect-statistics.ts';
import { fingerprintDefinition, type Installation } from './installation.ts';
import { roleComment, roleDefinition } from './roles.ts';
import type { StateQuery } from './state-query.ts';
import type { FoundObject } from './types.ts';

/** A role that stands where one of ours should, but is not ours. */
export interface ForeignRole {
  readonly name: string;
  readonly comment: string | null;
  /** Who else may hand it out, and so may have made it; null where nobody does. */
  readonly strangers: string | null;
}

export interface FoundRoles {
  readonly objects: readonly FoundObject[];
  readonly foreignRoles: readonly ForeignRole[];
  /** Our roles that can do what no rule of Postgres stops: superuser, BYPASSRLS, replication, CREATEDB, and that only their like may take away. */
  readonly powerfulRoles: readonly string[];
  readonly loginExists: boolean;
  /** For inspectState, which goes on from here. */
  readonly context: Context;
}

interface RoleRow {
  oid: string;
  name: string;
  login: boolean;
  inherit: boolean;
  powerful: boolean;
  creates: boolean;
  comment: string | null;
  strangers: string | null;
}

/** Reads which of the roles there are. The connection's search_path must be `pg_catalog, pg_temp`. */
export async function inspectRoles(client: pg.ClientBase, query: StateQuery): Promise<FoundRoles> {
  const ourComment = roleComment(query.installation.id);
  const wanted = [...new Set([...query.roles, query.login])];
  const answer = await client.query<RoleRow>(rolesQuery, [wanted, ourComment]);
  const isOurs = (row: RoleRow) => row.comment === ourComment && row.strangers === null;
  // Of others' roles only those count that stand where one of ours should.
  const rows = answer.rows.filter((row) => wanted.includes(row.name) || isOurs(row));
  const login = rows.find((row) => row.name === query.login);
  const foreignLogin =
    login !== undefined && !query.roles.includes(query.login) && login.comment !== ourComment;
  const roles = rows.filter((row) => row !== login || !foreignLogin);
  const ours = roles.filter(isOurs);
  return {
    objects: ours.map(roleFound),
    foreignRoles: roles.filter((row) => !isOurs(row)),
    powerfulRoles: rows.filter((row) => row.powerful).map((row) => row.name),
    loginExists: login !== undefined,
    context: {
      client,
      query,
      oids: [...ours.map((row) => row.oid), ...(login && foreignLogin ? [login.oid] : [])],
      exclusiveOids: ours
        .filter((row) => query.exclusiveRoles.includes(row.name))
        .map((row) => row.oid),
      loginOid: login?.oid,
      foreignLogin,
    },
  };
}

/** Reads everything else of our making that the database holds, and adds the roles. */
export async function inspectState(roles: FoundRoles): Promise<readonly FoundObject[]> {
  const { context } = roles;
  return [
    ...roles.objects,
    // First, and asked for at once: it takes Postgres longest, and the caller may have work to do meanwhile.
    ...(await policies(context)),
    ...(await memberships(context)),
    ...(await schemas(context)),
    ...(await rowSecurity(context)),
    ...(await statistics(context)),
    ...(await views(context)),
    ...(await functions(context)),
    ...(await grants(context)),
    ...(await executes(context)),
    ...(await triggers(context)),
    ...fingerprint(context.query.installation),
  ];
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
