import type pg from 'pg';
import { ident, literal, sql } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import { copiedRole } from '../state/copied-role.ts';
import type { InspectContext, StateQuery } from '../state/inspect-context.ts';
import { type DesiredObject, desired, type FoundObject, found } from '../state/state-object.ts';

/** The login that the gateway connects with. */
export interface GatewayLogin {
  readonly name: string;
  /** Whether Rowgate creates and manages the login. False: the login must already exist. */
  readonly managed: boolean;
}

/** Facts about the server on which the statements for roles depend. */
export interface RoleTarget {
  readonly installation: string;
  /** Version of Postgres as a number, e.g. 180004 for 18.4. */
  readonly serverVersion: number;
}

/** A Postgres role that has the name of one of Rowgate's roles, but that this installation did not create. */
export interface ForeignRole {
  readonly name: string;
  readonly comment: string | null;
  /** Names of foreign roles that may have created this role, because they have the admin option on it; null: none. */
  readonly strangers: string | null;
}

export interface FoundRoles {
  readonly objects: readonly FoundObject[];
  readonly foreignRoles: readonly ForeignRole[];
  /**
   * Rowgate's roles that have an attribute which no rule limits: superuser, BYPASSRLS, REPLICATION or CREATEDB. Only a
   * superuser can revoke these attributes.
   */
  readonly powerfulRoles: readonly string[];
  readonly loginExists: boolean;
  /** The input with which inspectState reads all other objects. */
  readonly context: InspectContext;
}

/** Returns the comment that marks a role of this installation. */
export function roleComment(installation: string): string {
  return `rowgate:${installation}`;
}

/** Returns the names of the Postgres roles that the roles of the model compile to. */
export function compiledRoles(model: Model): readonly string[] {
  return [...model.roles.values()].map((role) => role.postgresName);
}

export const roleId = (name: string) => JSON.stringify(['role', name]);

/** Returns the attributes that one of Rowgate's roles must have: LOGIN only for the gateway's login. */
const definitionOf = (login: boolean) => (login ? 'login noinherit' : 'nologin');

export function roleObject(name: string, login: boolean, target: RoleTarget): DesiredObject {
  const attributes = login ? sql`login noinherit` : sql`nologin`;
  return desired({
    kind: 'role',
    id: roleId(name),
    label: `role ${name}`,
    definition: definitionOf(login),
    create: [
      sql`create role ${ident(name)} ${attributes}`,
      sql`comment on role ${ident(name)} is ${literal(roleComment(target.installation))}`,
    ],
    alter: [sql`alter role ${ident(name)} ${attributes} nocreaterole`],
  });
}

/**
 * $1: names of the roles of the metadata, $2: the comment that marks Rowgate's roles, $3: the part of the comment that
 * copies of the database share. A join reads the comments, because pg_catalog.shobj_description would run a query for
 * every role of the cluster. The comment alone proves nothing: any login can read it, and can write it on roles that
 * the login created. But in Postgres 16 and later, the creator of a role administers that role, so the query also
 * returns the administrators.
 */
const query = `
select r.oid::int8::text as oid, r.rolname as name, r.rolcanlogin as login, r.rolinherit as inherit,
  r.rolsuper or r.rolbypassrls or r.rolreplication or r.rolcreatedb as powerful, r.rolcreaterole as creates,
  d.description as comment,
  (select pg_catalog.string_agg(distinct m.rolname, ', ' order by m.rolname)
    from pg_catalog.pg_auth_members x join pg_catalog.pg_roles m on m.oid = x.member
    join pg_catalog.pg_namespace n on n.nspname = 'rowgate'
    where x.roleid = r.oid and x.admin_option and pg_catalog.current_setting('server_version_num')::int >= 160000
      and m.rolname <> all ($1::text[]) and not m.rolsuper and not pg_catalog.pg_has_role(m.oid, n.nspowner, 'MEMBER')) as strangers
from pg_catalog.pg_roles r
left join pg_catalog.pg_shdescription d on d.objoid = r.oid and d.classoid = 'pg_catalog.pg_authid'::pg_catalog.regclass
where r.rolname = any ($1::text[]) or d.description = $2 or pg_catalog.strpos(d.description, $3) > 0`;

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

/**
 * Reads the roles that exist. The search_path of the connection must be `pg_catalog, pg_temp`, so that Postgres prints
 * qualified names.
 */
export async function inspectRoles(client: pg.ClientBase, state: StateQuery): Promise<FoundRoles> {
  const ourComment = roleComment(state.installation.id);
  const names = [...new Set([...state.roles, state.login])];
  const { id, origin } = state.installation;
  const answer = await client.query<RoleRow>(query, [names, ourComment, `:${origin}`]);
  const isOurs = (row: RoleRow) => row.comment === ourComment && row.strangers === null;
  // A role of another creator matters only when it has the name of one of Rowgate's roles.
  const rows = answer.rows.filter((row) => names.includes(row.name) || isOurs(row));
  const login = rows.find((row) => row.name === state.login);
  const foreignLogin =
    login !== undefined && !state.roles.includes(state.login) && login.comment !== ourComment;
  const roles = rows.filter((row) => row !== login || !foreignLogin);
  const ours = roles.filter(isOurs);
  return {
    objects: ours.map(foundRole),
    foreignRoles: roles.filter((row) => !isOurs(row)),
    powerfulRoles: rows.filter((row) => row.powerful).map((row) => row.name),
    loginExists: login !== undefined,
    context: {
      client,
      query: state,
      oids: [...ours.map((row) => row.oid), ...(login && foreignLogin ? [login.oid] : [])],
      exclusiveOids: ours
        .filter((row) => state.exclusiveRoles.includes(row.name))
        .map((row) => row.oid),
      copied: answer.rows
        .filter((row) => row.name !== state.login)
        .flatMap((row) => copiedRole(row, { id, origin }) ?? []),
      loginOid: login?.oid,
      foreignLogin,
    },
  };
}

function foundRole(row: RoleRow): FoundObject {
  const attributes = row.login && row.inherit ? 'login inherit' : definitionOf(row.login);
  return found({
    kind: 'role',
    id: roleId(row.name),
    label: `role ${row.name}`,
    definition: row.creates ? `${attributes} creates` : attributes,
    drop: [sql`drop role ${ident(row.name)}`],
  });
}
