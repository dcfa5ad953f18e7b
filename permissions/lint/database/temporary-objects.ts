import { callsOfOwner, callsOfTable } from '../../access/function-calls.ts';
import { roleAccess } from '../../access/table-access.ts';
import { compiledRoles } from '../../objects/roles/role.ts';
import { systemRoles } from '../../text/object-names.ts';
import { ident } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import { queryLint } from '../query-lint.ts';

/**
 * $1: compiled roles, $2: the gateway's login, which is skipped because it runs no statements written by callers, $3:
 * the gateway's role. The query returns direct logins that may create temporary tables.
 */
const temporaryQuery = `
select g.rolname as login, pg_catalog.current_database() as database
from pg_catalog.pg_roles g
where g.rolcanlogin and not g.rolsuper and g.rolname <> $2
  and not exists (select from pg_catalog.pg_roles m where m.rolname = $3 and pg_catalog.pg_has_role(g.oid, m.oid, 'MEMBER'))
  and exists (select from pg_catalog.pg_roles r where r.rolname = any ($1::text[]) and pg_catalog.pg_has_role(g.oid, r.oid, 'MEMBER'))
  and not exists (select from pg_catalog.pg_namespace n where n.nspname = 'rowgate' and pg_catalog.pg_has_role(g.oid, n.nspowner, 'USAGE'))
  and pg_catalog.has_database_privilege(g.oid, pg_catalog.current_database(), 'TEMPORARY')
order by 1`;

/**
 * Reports direct logins that may create temporary tables. Such a table could hide a table that a function of a rule
 * reads, and could so make hidden rows visible.
 */
export const temporaryObjects = queryLint<{ login: string; database: string }>(
  {
    query: temporaryQuery,
    values: ({ loaded: { model }, login }) =>
      callsFunctions(model)
        ? [compiledRoles(model), login.name, systemRoles(model).gateway]
        : undefined,
  },
  {
    severity: 'error',
    code: 'RG_EXTRA_PRIVILEGE',
    message: ({ login }) =>
      `"${login}" may make temporary tables, which functions that rules call could take for others`,
    hint: ({ login, database }) => revokeTemporary(database, login),
  },
);

/**
 * Returns the statement that takes the privilege to create temporary objects from PUBLIC, and from the login if it has
 * the privilege directly.
 */
export function revokeTemporary(database: string, login?: string): string {
  const from = login === undefined ? 'public' : `public, ${ident(login).text}`;
  return `as the database's owner: revoke temporary on database ${ident(database).text} from ${from}`;
}

function callsFunctions(model: Model): boolean {
  const fields = [...model.tables.values()].some(({ computedFields }) => computedFields.size > 0);
  if (!fields && model.functions.size === 0) return false;
  return [...model.roles.values()].some((role) => {
    const access = roleAccess(role, model);
    if (role.name !== 'admin' && callsOfOwner(access).length > 0) return true;
    const calls = [...access.tables.values()].flatMap(callsOfTable);
    return calls.some(({ asOwner }) => asOwner);
  });
}
