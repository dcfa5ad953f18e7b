/** Role names that metadata may not declare, because Rowgate uses them itself. */
export const reservedRoles: ReadonlySet<string> = new Set([
  'admin',
  'gateway',
  'gateway_login',
  'sidecar_login',
  'policy',
]);

/** Words that have a special meaning where Postgres expects a role name, so that no role can have such a name. */
export const postgresWords: ReadonlySet<string> = new Set([
  'none',
  'public',
  'current_user',
  'current_role',
  'session_user',
]);

/** Maximum length of a Postgres name, in bytes. Postgres silently cuts longer names. */
export const maxNameBytes = 63;

/**
 * Returns the default prefix of Postgres roles. It contains the name of the database, because all databases of a
 * cluster share their roles.
 */
export function defaultRolePrefix(database: string): string {
  return `rowgate_${database}_`;
}

/** Returns whether a text starts with the header prefix, in upper or lower case, as session variables do. */
export function looksLikeVariable(text: string, headerPrefix: string): boolean {
  return text.toLowerCase().startsWith(headerPrefix.toLowerCase());
}

/**
 * Returns the session variable that a header holds: `X-Gql-Organization-Id` → `organization_id`. Undefined if the name
 * is not possible for a Postgres setting.
 */
export function variableName(header: string, headerPrefix: string): string | undefined {
  const rest = header.slice(headerPrefix.length).toLowerCase();
  const reserved = ['role', 'admin-secret', 'debug'].includes(rest);
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(rest) && rest.length <= 50 && !reserved
    ? rest.replaceAll('-', '_')
    : undefined;
}

/**
 * Returns the header of a session variable in lower case, as messages show it: `organization_id` →
 * `x-gql-organization-id`.
 */
export function headerOf(variable: string, headerPrefix: string): string {
  return `${headerPrefix.toLowerCase()}${variable.replaceAll('_', '-')}`;
}

/**
 * Turns a name into one that GraphQL accepts, by replacing other characters with underscores. Valid names stay as
 * they are.
 */
export function graphqlName(name: string): string {
  const plain = name.replace(/[^_0-9A-Za-z]/g, '_').replace(/^__+/, '_');
  return /^[_A-Za-z]/.test(plain) && !isTaken(plain) ? plain : `_${plain}`;
}

/**
 * Returns whether a name cannot be used although it has a valid form. GraphQL forbids some names for enum values, and
 * graphql-js fails on a type that has the name of a member of Object.prototype.
 */
function isTaken(name: string): boolean {
  return ['true', 'false', 'null'].includes(name) || name in Object.prototype;
}

/** Returns the English plural of a table name, for array relationships. */
export function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  if (/(s|x|z|ch|sh)$/.test(name)) return `${name}es`;
  return `${name}s`;
}
