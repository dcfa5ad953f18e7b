import { compiledRoles } from '../../objects/role.ts';
import { ident } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/**
 * $1: compiled roles, $2: oids of managed tables. BYPASSRLS is no member's by inheritance, but the grants of a role
 * are: who holds both reads every row. Who may act as an owner of the tables gains nothing by it.
 */
const query = `
select m.rolname as login, pg_catalog.string_agg(r.rolname, ', ' order by r.rolname) as roles
from pg_catalog.pg_roles m
join pg_catalog.pg_roles r on r.rolname = any ($1::text[]) and r.oid <> m.oid
where m.rolbypassrls and not m.rolsuper and m.rolname <> current_user and pg_catalog.pg_has_role(m.oid, r.oid, 'USAGE')
  and not exists (select 1 from pg_catalog.pg_class c where c.oid = any ($2::oid[]) and pg_catalog.pg_has_role(m.oid, c.relowner, 'USAGE'))
group by 1 order by 1`;

/** Logins that use the grants of a compiled role without its policies. */
export const bypass: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{ login: string; roles: string }>(query, [
    compiledRoles(seen.loaded.model),
    seen.tables,
  ]);
  for (const { login, roles } of rows) {
    report.error(
      'RG_BYPASS',
      undefined,
      `"${login}" bypasses row security and inherits ${roles}: it sees and writes every row`,
      `as a superuser: alter role ${ident(login).text} nobypassrls`,
    );
  }
};
