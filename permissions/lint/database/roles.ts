import { tableKey } from '../../catalog/catalog.ts';
import { roleComment } from '../../objects/role.ts';
import { ident } from '../../text/sql-text.ts';
import type { DatabaseRule } from '../inspection.ts';

/** Roles that stand where ours should. */
export const foreignRoles: DatabaseRule = async ({ seen, report }) => {
  for (const { name, comment, strangers } of seen.roles.foreignRoles) {
    if (comment === roleComment(seen.installation.id)) {
      report.error(
        'RG_FOREIGN_ROLE',
        undefined,
        `the Postgres role "${name}" may be handed out by others, who may have made it (${strangers})`,
        `as a superuser: drop it or, where Rowgate made it, revoke admin option for ${ident(name).text} from them`,
      );
      continue;
    }
    const owner = comment?.startsWith('rowgate:')
      ? 'another installation of Rowgate'
      : 'somebody else';
    report.error(
      'RG_FOREIGN_ROLE',
      undefined,
      `the Postgres role "${name}" belongs to ${owner}`,
      'set ROWGATE_ROLE_PREFIX to a prefix of your own',
    );
  }
};

/** Roles of ours that no rule of Postgres stops. */
export const powerfulRoles: DatabaseRule = async ({ seen, report }) => {
  for (const name of seen.roles.powerfulRoles) {
    report.error(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `the Postgres role "${name}" is superuser, may bypass row security, replicate or create databases`,
      `as a superuser: alter role "${name}" nosuperuser nobypassrls noreplication nocreatedb`,
    );
  }
};

/** A login that is given must exist; Rowgate then grants it the roles. */
export const missingLogin: DatabaseRule = async ({ seen, report }) => {
  const { login, roles } = seen;
  if (login.managed || roles.loginExists) return;
  report.error(
    'RG_FOREIGN_ROLE',
    undefined,
    `the login "${login.name}" of ROWGATE_GATEWAY_DATABASE_URL does not exist`,
    `create role "${login.name}" login noinherit password …`,
  );
};

/**
 * $1: oids of the tables that rules manage and of those below them. It is about whoever applies, also where a
 * gateway looks, who may not use schema rowgate.
 */
const foreignTablesQuery = `
select n.nspname as schema, c.relname as name, o.rolname as owner
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_roles o on o.oid = c.relowner
where c.oid = any ($1::oid[]) and not pg_catalog.pg_has_role(
  coalesce((select r.nspowner from pg_catalog.pg_namespace r where r.nspname = 'rowgate' and not pg_catalog.has_schema_privilege(r.oid, 'USAGE')),
    (select r.oid from pg_catalog.pg_roles r where r.rolname = current_user)),
  c.relowner, 'USAGE')
order by 1, 2`;

/** Tables that whoever applies may not alter. */
export const foreignTables: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{ schema: string; name: string; owner: string }>(
    foreignTablesQuery,
    [seen.tables],
  );
  const { tables } = seen.loaded.model;
  for (const { schema, name, owner } of rows) {
    report.error(
      'RG_NOT_OWNER',
      tables.get(tableKey(schema, name))?.position,
      `${schema}.${name} belongs to another role, "${owner}"`,
      'let DATABASE_URL log in as the owner of the tables',
    );
  }
};
