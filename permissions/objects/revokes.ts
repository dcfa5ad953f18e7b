import { ident, join, literal, qualified, type SqlText, sql } from '../text/sql-text.ts';

/** Every privilege that Postgres knows on relations. */
const privileges: Readonly<Record<string, SqlText>> = {
  SELECT: sql`select`,
  INSERT: sql`insert`,
  UPDATE: sql`update`,
  DELETE: sql`delete`,
  TRUNCATE: sql`truncate`,
  REFERENCES: sql`references`,
  TRIGGER: sql`trigger`,
  MAINTAIN: sql`maintain`,
  USAGE: sql`usage`,
};

export function grantee(row: { readonly role: string; readonly public: boolean }): SqlText {
  return row.public ? sql`public` : ident(row.role);
}

/** Revoking from the whole relation takes the column privileges along. */
export function revokeGrant(row: {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly role: string;
  readonly public: boolean;
  readonly privilege: string;
}): SqlText {
  const privilege = privileges[row.privilege];
  if (!privilege) throw new RangeError(`no privilege ${row.privilege}`);
  const kind = row.kind === 'S' ? sql`sequence ` : sql``;
  return sql`revoke ${privilege} on ${kind}${qualified(row)} from ${grantee(row)}`;
}

/** A function is named by its rendered signature, which Postgres itself quotes; it is resolved again inside. */
export function revokeExecute(row: {
  readonly target: string;
  readonly procedure: boolean;
  readonly role: string;
  readonly public: boolean;
}): SqlText {
  const kind = row.procedure ? 'procedure' : 'function';
  const statement = join([literal(`revoke all on ${kind} %s from %s`), literal(row.target)], ', ');
  const from = row.public ? sql`'public'` : sql`pg_catalog.quote_ident(${literal(row.role)})`;
  return sql`do ${literal(`begin execute pg_catalog.format(${statement.text}::pg_catalog.regprocedure, ${from.text}); end`)}`;
}
