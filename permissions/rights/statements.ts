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
   * Whether no one should become a member of the owner: it is a superuser, one of Rowgate's roles, or itself a member
   * of the login. Then the object changes its owner instead.
   */
  readonly exclusive: boolean;
}

/**
 * Makes the SQL for `ObjectOwner.exclusive`. `login` is an expression for the oid of the login; the query must name the
 * owner's row in pg_roles `o`.
 */
export const exclusiveOwner = (
  login: string,
): string => `(o.rolsuper or pg_catalog.pg_has_role(o.oid, ${login}, 'MEMBER')
    or coalesce(pg_catalog.shobj_description(o.oid, 'pg_authid') like 'rowgate%', false))`;

/**
 * Returns the statements after which a login has the rights of an object's owner.
 * @param target the object in the syntax of `alter … owner to`, e.g. `table "public"."note"`
 */
export function own(
  target: string,
  { owner, exclusive }: ObjectOwner,
  login: Pick<CommandLogin, 'name' | 'serverVersion' | 'inherits'>,
): readonly string[] {
  if (exclusive) return [`alter ${target} owner to ${name(login.name)}`];
  return join(owner, login);
}

/** Returns the statements after which a login has the rights of a role. */
export function join(
  role: string,
  login: Pick<CommandLogin, 'name' | 'serverVersion' | 'inherits'>,
): readonly string[] {
  const grant = `grant ${name(role)} to ${name(login.name)}`;
  if (login.serverVersion >= 160000) return [`${grant} with inherit true, set true`];
  return login.inherits ? [grant] : [grant, `alter role ${name(login.name)} inherit`];
}

/**
 * Returns the statement after which a login may grant and drop a role. It gives none of the role's own rights. Before
 * Postgres 16, CREATEROLE includes this.
 */
export function administer(role: string, login: Pick<CommandLogin, 'name'>): string {
  return `grant ${name(role)} to ${name(login.name)} with admin true, inherit false, set false`;
}
