/**
 * A role that another database of the same installation made. Such a role occurs when this database is a copy of the
 * other database, or was renamed.
 */
export interface CopiedRole {
  readonly oid: string;
  readonly name: string;
  /**
   * The name of the database that made the role. Absent: that database was uninstalled while a copy still gave
   * privileges to the role.
   */
  readonly database: string | undefined;
}

/** Returns the comment that marks a role whose own database no longer needs it, so that the last copy can drop it. */
export function leftRoleComment(origin: string): string {
  return `rowgate-left:${origin}`;
}

/**
 * Recognizes a copied role by the comment that apply, `login create` and `migrate` write on roles. Undefined when the
 * role belongs to this database or to another installation.
 */
export function copiedRole(
  {
    oid,
    name,
    comment,
  }: { readonly oid: string; readonly name: string; readonly comment: string | null },
  { id, origin }: { readonly id: string; readonly origin: string },
): CopiedRole | undefined {
  if (comment === leftRoleComment(origin)) return { oid, name, database: undefined };
  const [, , made, database] =
    /^rowgate(-login| sidecar)?:([^ /]+)[ /](.+)$/s.exec(comment ?? '') ?? [];
  if (made !== origin || database === undefined || `${origin} ${database}` === id) return undefined;
  return { oid, name, database };
}
