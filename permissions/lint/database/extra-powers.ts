import { compiledRoles } from '../../objects/role.ts';
import { ident, qualified } from '../../text/sql-text.ts';
import { type DatabaseRule, ourRoles } from '../inspection.ts';

/**
 * $1: our roles. What of this database belongs to them, but our views, what upserts call and calls of functions. Whoever inherits a role can make it the
 * owner of large objects, and give default privileges in its name: neither gets around a rule.
 */
const ownedQuery = `
select g.rolname as role, pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid) as object
from pg_catalog.pg_shdepend d
join pg_catalog.pg_roles g on g.oid = d.refobjid
left join pg_catalog.pg_class c on d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and c.oid = d.objid
left join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_proc p on d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and p.oid = d.objid
left join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
where d.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass and d.deptype = 'o' and g.rolname = any ($1::text[])
  and d.dbid = (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database())
  and n.nspname is distinct from 'rowgate_policy'
  and not coalesce(n.nspname = 'rowgate_api' and c.relname ~ '^(computed|rows|write)_', false)
  and not coalesce(pn.nspname = 'rowgate_api' and p.proname ~ '^(may_update|may_see|in_the_way|function|field)_', false)
  and d.classid not in ('pg_catalog.pg_largeobject'::pg_catalog.regclass, 'pg_catalog.pg_default_acl'::pg_catalog.regclass)
  and coalesce((pg_catalog.pg_identify_object(d.classid, d.objid, d.objsubid)).schema, '') not like 'pg\\_temp%'
order by 1, 2`;

/** What our roles own: owners obey no policy. */
export const ownedObjects: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{ role: string; object: string }>(ownedQuery, [
    ourRoles(seen),
  ]);
  for (const { role, object } of rows) {
    report.error(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `the Postgres role "${role}" owns ${object}`,
      'give it to the owner of the tables: owners obey no policy',
    );
  }
};

/** $1: our roles. Those that may make schemas in this database. */
const makersQuery = `
select d.datname as database, g.rolname as role
from pg_catalog.pg_database d
cross join lateral pg_catalog.aclexplode(d.datacl) x
join pg_catalog.pg_roles g on g.oid = x.grantee
where d.datname = pg_catalog.current_database() and x.privilege_type = 'CREATE' and g.rolname = any ($1::text[])
order by 1, 2`;

/** Roles of ours that may make schemas, and in them operators and functions. */
export const schemaMakers: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{ database: string; role: string }>(makersQuery, [
    ourRoles(seen),
  ]);
  for (const { database, role } of rows) {
    report.error(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `the Postgres role "${role}" may make schemas and extensions in this database`,
      `run: revoke create on database "${database}" from "${role}"`,
    );
  }
};

/** $1: our compiled roles. Logins that would add the rights of several of them up; who may act as Rowgate's owner needs none. */
const stackedQuery = `
select m.rolname as login, pg_catalog.string_agg(r.rolname, ', ' order by r.rolname) as roles
from pg_catalog.pg_roles m
join pg_catalog.pg_roles r on r.rolname = any ($1::text[]) and r.oid <> m.oid
where not m.rolsuper and m.rolname <> current_user and pg_catalog.pg_has_role(m.oid, r.oid, 'USAGE')
  and not exists (select 1 from pg_catalog.pg_namespace n where n.nspname = 'rowgate' and pg_catalog.pg_has_role(m.oid, n.nspowner, 'USAGE'))
group by 1 having pg_catalog.count(*) > 1
order by 1`;

/** Logins that add the rights of several roles up. */
export const stackedLogins: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{ login: string; roles: string }>(stackedQuery, [
    compiledRoles(seen.loaded.model),
  ]);
  for (const { login, roles } of rows) {
    report.error(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `"${login}" inherits several roles at once (${roles}): the rows of one would show the columns of the other`,
      `revoke all but one of them from "${login}"`,
    );
  }
};

/**
 * $1: compiled roles, $2: oids of managed tables and views, $3: all our roles. What is granted beside the rules to
 * somebody who has a compiled role too; who may act as the owner gains nothing by it.
 */
const besideQuery = `
with granted as (
  select c.oid, x.* from pg_catalog.pg_class c cross join lateral pg_catalog.aclexplode(c.relacl) x
  union all
  select a.attrelid, x.* from pg_catalog.pg_attribute a cross join lateral pg_catalog.aclexplode(a.attacl) x where not a.attisdropped
)
select n.nspname as schema, c.relname as name, c.relkind in ('v', 'm') as "isView", g.rolname as role,
  pg_catalog.string_agg(distinct pg_catalog.lower(x.privilege_type), ', ' order by pg_catalog.lower(x.privilege_type)) as privileges
from granted x
join pg_catalog.pg_class c on c.oid = x.oid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_roles g on g.oid = x.grantee and g.rolname <> all ($3::text[])
where (c.oid = any ($2::oid[]) or n.nspname in ('rowgate_api', 'rowgate_policy') and c.relkind = 'v')
  and exists (select from pg_catalog.pg_roles m
    where not m.rolsuper and m.rolname <> all ($3::text[]) and pg_catalog.pg_has_role(m.oid, g.oid, 'USAGE')
      and not pg_catalog.pg_has_role(m.oid, c.relowner, 'USAGE')
      and exists (select from pg_catalog.pg_roles r where r.rolname = any ($1::text[]) and pg_catalog.pg_has_role(m.oid, r.oid, 'MEMBER')))
group by 1, 2, 3, 4 order by 1, 2, 4`;

/** Privileges on what has rules that logins hold beside those of their role: views show by them what no rule does. */
export const grantsBeside: DatabaseRule = async ({ client, seen, report }) => {
  const { rows } = await client.query<{
    schema: string;
    name: string;
    isView: boolean;
    role: string;
    privileges: string;
  }>(besideQuery, [compiledRoles(seen.loaded.model), seen.tables, ourRoles(seen)]);
  for (const { schema, name, isView, role, privileges } of rows) {
    const effect = isView
      ? 'which no rule filters'
      : 'which adds columns or commands to those of its rules';
    const message = `"${role}" may ${privileges} on ${schema}.${name} beside a role of the metadata, ${effect}`;
    const hint = `run: revoke all on ${qualified({ schema, name }).text} from ${ident(role).text}`;
    if (isView) report.error('RG_EXTRA_PRIVILEGE', undefined, message, hint);
    else report.warning('RG_EXTRA_PRIVILEGE', undefined, message, hint);
  }
};
