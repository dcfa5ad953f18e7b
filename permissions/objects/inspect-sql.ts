/**
 * A name of a schema that outlives a session. What somebody keeps in a temporary one nobody else reaches or takes
 * away, so that anybody could hold apply up by it.
 */
export const lasting = (name: string) => `${name} not like 'pg\\_temp\\_%'`;

/**
 * Each query takes $1: oids of our roles (for PUBLIC add 0 yourself), $2: oids of managed tables.
 * Everything is read under search_path pg_catalog, so that expressions are rendered in full.
 */
/**
 * $1: names of roles that are wanted, $2: what the comment on a role of ours says. Everybody may read such comments
 * and write them on roles that they made. From 16 on whoever made a role administers it, and nobody takes part in it
 * but by somebody who does.
 */
export const rolesQuery = `
select r.oid::int8::text as oid, r.rolname as name, r.rolcanlogin as login, r.rolinherit as inherit,
  r.rolsuper or r.rolbypassrls or r.rolreplication or r.rolcreatedb as powerful, r.rolcreaterole as creates,
  pg_catalog.shobj_description(r.oid, 'pg_authid') as comment,
  (select pg_catalog.string_agg(distinct m.rolname, ', ' order by m.rolname)
    from pg_catalog.pg_auth_members x join pg_catalog.pg_roles m on m.oid = x.member
    join pg_catalog.pg_namespace n on n.nspname = 'rowgate'
    where x.roleid = r.oid and x.admin_option and pg_catalog.current_setting('server_version_num')::int >= 160000
      and m.rolname <> all ($1::text[]) and not m.rolsuper and not pg_catalog.pg_has_role(m.oid, n.nspowner, 'MEMBER')) as strangers
from pg_catalog.pg_roles r
where r.rolname = any ($1::text[]) or pg_catalog.shobj_description(r.oid, 'pg_authid') = $2`;

/**
 * $2: oids of roles that take no other members, $3: oid of the gateway's login. From 16 on whoever makes a
 * role administers it, which gives nothing by itself.
 */
export const membershipsQuery = `
select g.rolname as role, m.rolname as member, x.member = $3::oid as gateway,
  bool_or(coalesce((pg_catalog.to_jsonb(x)->>'set_option')::bool, true)) as "canSet",
  bool_or(coalesce((pg_catalog.to_jsonb(x)->>'inherit_option')::bool, m.rolinherit)) as inherits,
  bool_or(x.admin_option) as administers
from pg_catalog.pg_auth_members x
join pg_catalog.pg_roles g on g.oid = x.roleid
join pg_catalog.pg_roles m on m.oid = x.member
where x.roleid = any ($1::oid[]) and x.member = $3::oid
  or x.member = any ($1::oid[])
  or x.roleid = any ($2::oid[]) and (coalesce((pg_catalog.to_jsonb(x)->>'set_option')::bool, true)
    or coalesce((pg_catalog.to_jsonb(x)->>'inherit_option')::bool, true)
    or not (x.admin_option and m.rolcreaterole))
group by 1, 2, 3`;

/**
 * $2: oid of a login that is not ours. The views in rowgate_policy are closed by their schema alone, so
 * nobody but its owner may use it.
 */
export const schemasQuery = `
select n.nspname as schema, coalesce(g.rolname, 'public') as role, x.grantee = 0 as public,
  pg_catalog.string_agg(distinct x.privilege_type || case when x.is_grantable then '!' else '' end, ',' order by x.privilege_type || case when x.is_grantable then '!' else '' end) as privileges
from pg_catalog.pg_namespace n
cross join lateral pg_catalog.aclexplode(n.nspacl) x
left join pg_catalog.pg_roles g on g.oid = x.grantee
where x.grantee = any ($1::oid[]) and ($2::oid is null or x.grantee <> $2::oid or n.nspname = 'rowgate_api')
  or x.grantee = 0 and n.nspname in ('rowgate_api', 'rowgate_events')
  or x.grantee <> n.nspowner and n.nspname in ('rowgate', 'rowgate_policy')
group by 1, 2, 3`;

/** Managed tables that have it, and tables of Rowgate's own that lack it. */
export const rowSecurityQuery = `
select n.nspname as schema, c.relname as name, c.relrowsecurity as enabled
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid = any ($1::oid[]) and c.relrowsecurity
  or n.nspname = 'rowgate' and c.relkind in ('r', 'p') and not c.relrowsecurity`;

/** Of Rowgate's own tables nobody but their owner has any. */
export const grantsQuery = `
with granted as (
  select c.oid, null::name as attname, x.* from pg_catalog.pg_class c cross join lateral pg_catalog.aclexplode(c.relacl) x
  union all
  select a.attrelid, a.attname, x.* from pg_catalog.pg_attribute a cross join lateral pg_catalog.aclexplode(a.attacl) x
  where not a.attisdropped
)
select n.nspname as schema, c.relname as name, c.relkind as kind, coalesce(g.rolname, 'public') as role,
  x.grantee = 0 as public, x.privilege_type as privilege,
  bool_or(x.attname is null) as whole, bool_or(x.is_grantable) as grantable,
  pg_catalog.array_agg(distinct x.attname::text) filter (where x.attname is not null) as columns
from granted x
join pg_catalog.pg_class c on c.oid = x.oid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_roles g on g.oid = x.grantee
where x.grantee <> c.relowner and ${lasting('n.nspname')}
  and (x.grantee = any ($1::oid[]) or n.nspname = 'rowgate'
    or x.grantee = 0 and (c.oid = any ($2::oid[]) or n.nspname in ('rowgate_api', 'rowgate_policy')))
group by 1, 2, 3, 4, 5, 6`;

/** Of functions of people's own that act with the rights of their owners also what PUBLIC may. */
export const executesQuery = `
select n.nspname as schema, p.proname || '(' || pg_catalog.oidvectortypes(p.proargtypes) || ')' as signature,
  (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('schema', tn.nspname, 'name', t.typname) order by a.position), '[]')
    from pg_catalog.unnest(p.proargtypes) with ordinality a(type, position)
    join pg_catalog.pg_type t on t.oid = a.type join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace)::text as types,
  p.proname as name, p.oid::pg_catalog.regprocedure::text as target, p.prokind = 'p' as procedure,
  coalesce(g.rolname, 'public') as role, x.grantee = 0 as public, bool_or(x.is_grantable) as grantable
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
cross join lateral pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) x
left join pg_catalog.pg_roles g on g.oid = x.grantee
where x.grantee <> p.proowner and ${lasting('n.nspname')}
  and (x.grantee = any ($1::oid[]) or x.grantee = 0 and (p.prosecdef or n.nspname in ('rowgate', 'rowgate_api', 'rowgate_policy')))
group by 1, 2, 3, 4, 5, 6, 7, 8`;

/** All policies on managed tables and on Rowgate's own, and those of ours elsewhere. */
export const policiesQuery = `
select n.nspname as schema, c.relname as table, p.polname as name,
  case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end as command,
  p.polpermissive as permissive,
  (select pg_catalog.string_agg(coalesce(g.rolname, 'public'), ',' order by g.rolname) from pg_catalog.unnest(p.polroles) r(oid) left join pg_catalog.pg_roles g on g.oid = r.oid) as roles,
  pg_catalog.obj_description(p.oid, 'pg_policy') as comment,
  pg_catalog.md5(coalesce(pg_catalog.pg_get_expr(p.polqual, p.polrelid), '') || E'\\n' || coalesce(pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid), '')) as seal
from pg_catalog.pg_policy p
join pg_catalog.pg_class c on c.oid = p.polrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid = any ($1::oid[]) or n.nspname = 'rowgate'
  or pg_catalog.obj_description(p.oid, 'pg_policy') like 'rowgate:%' and ${lasting('n.nspname')}`;

/** What a view of ours, `c`, is: its text and the defaults of its columns, which fill in what a role may not give. */
export const viewSeal = `pg_catalog.md5(pg_catalog.pg_get_viewdef(c.oid) || coalesce((
    select pg_catalog.string_agg(d.adnum || ' ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid), E'\\n' order by d.adnum)
    from pg_catalog.pg_attrdef d where d.adrelid = c.oid), ''))`;

export const viewsQuery = `
select n.nspname as schema, c.relname as name, g.rolname as owner, coalesce(c.reloptions, '{}')::text[] as options,
  pg_catalog.obj_description(c.oid, 'pg_class') as comment, ${viewSeal} as seal
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_roles g on g.oid = c.relowner
where n.nspname in ('rowgate_policy', 'rowgate_api') and c.relkind = 'v'
order by c.oid desc`;

export const functionsQuery = `
select n.nspname as schema, p.proname as name, p.proname || '(' || pg_catalog.oidvectortypes(p.proargtypes) || ')' as signature,
  p.oid::pg_catalog.regprocedure::text as target, g.rolname as owner,
  p.proowner = (select o.nspowner from pg_catalog.pg_namespace o where o.nspname = 'rowgate') as "isOurs",
  pg_catalog.obj_description(p.oid, 'pg_proc') as comment, pg_catalog.md5(pg_catalog.pg_get_functiondef(p.oid)) as seal
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_roles g on g.oid = p.proowner
where n.nspname in ('rowgate_policy', 'rowgate_api') and p.prokind = 'f'
order by p.oid desc`;

/** A trigger of a partitioned table has a twin on every partition, each of which can be disabled by itself. */
export const triggersQuery = `
with recursive twin as (
  select t.oid as top, t.oid, t.tgenabled from pg_catalog.pg_trigger t where t.tgname like '!rowgate/%' and t.tgparentid = 0
  union all
  select w.top, t.oid, t.tgenabled from pg_catalog.pg_trigger t join twin w on t.tgparentid = w.oid
)
select n.nspname as schema, c.relname as table, t.tgname as name, fn.nspname as "functionSchema", f.proname as function,
  (select pg_catalog.string_agg(distinct w.tgenabled::text, '') from twin w where w.top = t.oid) as enabled,
  t.tgtype::int as type, coalesce(t.tgoldtable, '') || ' ' || coalesce(t.tgnewtable, '') as rows,
  t.tgqual is null and t.tgattr = ''::pg_catalog.int2vector and t.tgnargs = 0 as plain
from pg_catalog.pg_trigger t
join pg_catalog.pg_class c on c.oid = t.tgrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_proc f on f.oid = t.tgfoid
join pg_catalog.pg_namespace fn on fn.oid = f.pronamespace
where t.tgname like '!rowgate/%' and t.tgparentid = 0 and ${lasting('n.nspname')}`;
