/** $1: oids of managed tables, $2: tables that policy views read. */
export const foreignPoliciesQuery = `
select n.nspname as schema, c.relname as table, p.polname as name, p.polpermissive as permissive
from pg_catalog.pg_policy p
join pg_catalog.pg_class c on c.oid = p.polrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid = any ($1::oid[]) and p.polname not like 'rowgate/%'
order by 1, 2, 3`;

/** $1: schemas that rules use, $2: our roles. */
export const writableSchemasQuery = `
select n.nspname as schema, coalesce(g.rolname, 'PUBLIC') as role,
  x.grantee = 0 or g.rolname = any ($2::text[])
    or exists (select 1 from pg_catalog.pg_auth_members m join pg_catalog.pg_roles r on r.oid = m.roleid
      where m.member = g.oid and r.rolname = any ($2::text[]) and not g.rolcreaterole) as dangerous
from pg_catalog.pg_namespace n
cross join lateral pg_catalog.aclexplode(coalesce(n.nspacl, pg_catalog.acldefault('n', n.nspowner))) x
left join pg_catalog.pg_roles g on g.oid = x.grantee
where n.nspname = any ($1::text[]) and x.privilege_type = 'CREATE'
  and x.grantee <> n.nspowner and not coalesce(g.rolsuper, false) and coalesce(g.rolname <> current_user, true)
order by 1, 2`;

/** $1: our roles. What of this database belongs to them, but policy views. */
export const ownedQuery = `
select g.rolname as role, pg_catalog.pg_describe_object(d.classid, d.objid, d.objsubid) as object
from pg_catalog.pg_shdepend d
join pg_catalog.pg_roles g on g.oid = d.refobjid
left join pg_catalog.pg_class c on d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and c.oid = d.objid
left join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where d.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass and d.deptype = 'o' and g.rolname = any ($1::text[])
  and d.dbid = (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database())
  and n.nspname is distinct from 'rowgate_policy'
order by 1, 2`;

/** $1: our compiled roles. Logins that would add the rights of several of them up. */
export const stackedLoginsQuery = `
select m.rolname as login, pg_catalog.string_agg(r.rolname, ', ' order by r.rolname) as roles
from pg_catalog.pg_roles m
join pg_catalog.pg_roles r on r.rolname = any ($1::text[]) and r.oid <> m.oid
where not m.rolsuper and m.rolname <> current_user and pg_catalog.pg_has_role(m.oid, r.oid, 'USAGE')
group by 1 having pg_catalog.count(*) > 1
order by 1`;

/** $1: oids of tables with presets. Row triggers that run before the presets do. */
export const earlyTriggersQuery = `
select n.nspname as schema, c.relname as table, t.tgname as name
from pg_catalog.pg_trigger t
join pg_catalog.pg_class c on c.oid = t.tgrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where t.tgrelid = any ($1::oid[]) and not t.tgisinternal and t.tgtype & 3 = 3 and t.tgname < '!rowgate/preset' collate "C"
order by 1, 2, 3`;

/** $1: our roles. Those that may make schemas in this database. */
export const schemaMakersQuery = `
select d.datname as database, g.rolname as role
from pg_catalog.pg_database d
cross join lateral pg_catalog.aclexplode(d.datacl) x
join pg_catalog.pg_roles g on g.oid = x.grantee
where d.datname = pg_catalog.current_database() and x.privilege_type = 'CREATE' and g.rolname = any ($1::text[])
order by 1, 2`;

/** $1: oids of managed tables. Views over them that PUBLIC may read with the rights of their owner. */
export const openViewsQuery = `
select distinct n.nspname as schema, v.relname as view
from pg_catalog.pg_depend d
join pg_catalog.pg_rewrite r on r.oid = d.objid and d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
join pg_catalog.pg_class v on v.oid = r.ev_class and v.relkind in ('v', 'm')
join pg_catalog.pg_namespace n on n.oid = v.relnamespace and n.nspname <> 'rowgate_policy'
where d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = any ($1::oid[])
  and not coalesce(v.reloptions, '{}')::text[] && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1']
  and (exists (select 1 from pg_catalog.aclexplode(v.relacl) x where x.grantee = 0 and x.privilege_type = 'SELECT')
    or exists (select 1 from pg_catalog.pg_attribute a cross join lateral pg_catalog.aclexplode(a.attacl) x
      where a.attrelid = v.oid and x.grantee = 0 and x.privilege_type = 'SELECT'))
order by 1, 2`;
