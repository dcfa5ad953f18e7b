import { unsafeCharacterIn } from '../text/characters.ts';
import { ident } from '../text/sql-text.ts';
import type { CommandLogin } from './login.ts';

/**
 * Quotes a name for a statement that a person pastes. Characters that cannot be shown are escaped, because they could
 * control the terminal or break the line.
 */
export function name(text: string): string {
  if (unsafeCharacterIn(text) === undefined) return ident(text).text;
  const escaped = [...text.replaceAll('\\', '\\\\').replaceAll('"', '""')].map((character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return unsafeCharacterIn(character) === undefined ? character : `\\+${code.padStart(6, '0')}`;
  });
  return `U&"${escaped.join('')}"`;
}

export function qualifiedName(object: { readonly schema: string; readonly name: string }): string {
  return `${name(object.schema)}.${name(object.name)}`;
}

/** A function with the types of its parameters. */
export interface Signature {
  readonly schema: string;
  readonly name: string;
  readonly parameters: readonly { readonly schema: string; readonly name: string }[];
}

/** SQL for `Signature.parameters`. The query must name the function's row in pg_proc `p`. */
export const parameterTypes = `(select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('schema', tn.nspname, 'name', t.typname) order by a.position), '[]')
    from pg_catalog.unnest(p.proargtypes) with ordinality a(type, position)
    join pg_catalog.pg_type t on t.oid = a.type join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace)`;

/** Returns a function as `"schema"."name"("schema"."type", …)`. */
export function signature(called: Signature): string {
  return `${qualifiedName(called)}(${called.parameters.map(qualifiedName).join(', ')})`;
}

/** The kinds of relations in the syntax of `alter`, by `relkind`. */
const relationKinds: Readonly<Record<string, string>> = {
  v: 'view',
  m: 'materialized view',
  S: 'sequence',
  f: 'foreign table',
};

/** Returns the kind of a relation in the syntax of `alter … owner to`. */
export function relationKind(relkind: string): string {
  return relationKinds[relkind] ?? 'table';
}

/** The owner of an object, and whether a login may get the owner's rights by membership. */
export interface ObjectOwner {
  readonly owner: string;
  /**
   * Whether the login must not become a member of the owner: the owner has more rights than its objects, is one of
   * Rowgate's roles, or is itself a member of the login. Then the object changes its owner instead.
   */
  readonly exclusive: boolean;
}

/**
 * SQL for whether membership in a role gives more than the rights on its objects: the role, or one that it is a member
 * of, is a superuser or predefined, or has an attribute that the login lacks. `pg_database_owner` does not count,
 * because the owner of the database always belongs to it. The query must name the role's row in pg_roles `o`, and that
 * of the login `m`.
 */
export const powerfulRole = `(o.rolsuper or exists (select from pg_catalog.pg_roles b
    where pg_catalog.pg_has_role(o.oid, b.oid, 'MEMBER')
      and (b.rolsuper or (pg_catalog.starts_with(b.rolname, 'pg_') and b.rolname <> 'pg_database_owner')
        or (b.rolbypassrls and not m.rolbypassrls) or (b.rolcreaterole and not m.rolcreaterole)
        or (b.rolreplication and not m.rolreplication) or (b.rolcreatedb and not m.rolcreatedb))))`;

/** SQL for `ObjectOwner.exclusive`. The query must name the owner's row in pg_roles `o`, and that of the login `m`. */
export const exclusiveOwner = `(${powerfulRole} or pg_catalog.pg_has_role(o.oid, m.oid, 'MEMBER')
    or coalesce(pg_catalog.shobj_description(o.oid, 'pg_authid') like 'rowgate%', false))`;

type Member = Pick<CommandLogin, 'name' | 'serverVersion' | 'inherits'>;

/**
 * Returns the statements after which a login has the rights of an object's owner.
 * @param target the object in the syntax of `alter … owner to`, e.g. `table "public"."note"`
 */
export function own(
  target: string,
  { owner, exclusive }: ObjectOwner,
  login: Member,
): readonly string[] {
  if (exclusive) return [`alter ${target} owner to ${name(login.name)}`];
  return join(owner, login, 'inherit true, set false');
}

/** Returns the statements after which a login has the rights of a role and may give it objects. */
export function become(role: string, login: Member): readonly string[] {
  return join(role, login, 'inherit true, set true');
}

/** @param options how the login is a member. Before Postgres 16, every member may `set role`. */
function join(role: string, login: Member, options: string): readonly string[] {
  const grant = `grant ${name(role)} to ${name(login.name)}`;
  if (login.serverVersion >= 160000) return [`${grant} with ${options}`];
  return login.inherits ? [grant] : [grant, `alter role ${name(login.name)} inherit`];
}

/**
 * Returns the statement after which a login may grant and drop a role. It gives none of the role's own rights. Before
 * Postgres 16, CREATEROLE includes this.
 */
export function administer(role: string, login: Pick<CommandLogin, 'name'>): string {
  return `grant ${name(role)} to ${name(login.name)} with admin true, inherit false, set false`;
}
