/** A role that another database of the same installation made: this database is a copy of it, or has a new name. */
export interface CopiedRole {
  readonly oid: string;
  readonly name: string;
  /** Absent: its database was uninstalled while copies still gave the role privileges. */
  readonly database: string | undefined;
}

/** The comment on a role whose own database no longer needs it. */
export function leftRoleComment(origin: string): string {
  return `rowgate-left:${origin}`;
}

/**
 * Recognizes the comments that apply, `login create` and `migrate` write on roles.
 * Undefined where the role belongs to this database or to another installation.
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
