/** Names that Rowgate gives to roles of its own. */
export const reservedRoles: ReadonlySet<string> = new Set([
  'admin',
  'gateway',
  'gateway_login',
  'sidecar_login',
  'policy',
]);

/** Words that mean something else to Postgres where it expects the name of a role. */
export const postgresWords: ReadonlySet<string> = new Set([
  'none',
  'public',
  'current_user',
  'current_role',
  'session_user',
]);

/** Longest name that Postgres keeps whole, in bytes. */
export const maxNameBytes = 63;

/** Prefix of Postgres roles where none is configured: roles are shared by all databases of a cluster. */
export function defaultRolePrefix(database: string): string {
  return `rowgate_${database}_`;
}

/** Whether a text is written as a session variable, i.e. starts with the header prefix, in any case. */
export function looksLikeVariable(text: string, headerPrefix: string): boolean {
  return text.toLowerCase().startsWith(headerPrefix.toLowerCase());
}

/** `X-Gql-Organization-Id` → `organization_id`; undefined where no setting can have that name. */
export function variableName(header: string, headerPrefix: string): string | undefined {
  const rest = header.slice(headerPrefix.length).toLowerCase();
  const reserved = ['role', 'admin-secret', 'debug'].includes(rest);
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(rest) && rest.length <= 50 && !reserved
    ? rest.replaceAll('-', '_')
    : undefined;
}

/** `organization_id` → `x-gql-organization-id`, as messages write it. */
export function headerOf(variable: string, headerPrefix: string): string {
  return `${headerPrefix.toLowerCase()}${variable.replaceAll('_', '-')}`;
}

/** A name that GraphQL accepts: other characters become underscores; the input where it is one already. */
export function graphqlName(name: string): string {
  const plain = name.replace(/[^_0-9A-Za-z]/g, '_').replace(/^__+/, '_');
  return /^[_A-Za-z]/.test(plain) && !isTaken(plain) ? plain : `_${plain}`;
}

/** No value of an enum may be called like these, nor, in graphql-js, a type like a member of every object. */
function isTaken(name: string): boolean {
  return ['true', 'false', 'null'].includes(name) || name in Object.prototype;
}

/** English plural of a table name, for array relationships. */
export function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  if (/(s|x|z|ch|sh)$/.test(name)) return `${name}es`;
  return `${name}s`;
}
