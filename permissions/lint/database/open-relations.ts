import { lasting } from '../../objects/state/inspect-context.ts';
import { ident, qualified } from '../../text/sql-text.ts';
import { managedSchemas, ourRoles } from '../inspection.ts';
import { queryLint } from '../query-lint.ts';

/**
 * $1: oids of managed tables. The query returns views over them, at any depth, that PUBLIC may use and that read with
 * the rights of their owner. A materialized view counts, because it is a copy to which no policy applies. Views with
 * rules are skipped, because apply itself revokes such privileges on them.
 */
const viewsQuery = `
with recursive reader as (
  select v.oid from pg_catalog.pg_depend d
  join pg_catalog.pg_rewrite r on r.oid = d.objid
  join pg_catalog.pg_class v on v.oid = r.ev_class and v.relkind in ('v', 'm')
  where d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
    and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid = any ($1::oid[])
  union
  select v.oid from reader x
  join pg_catalog.pg_depend d on d.refobjid = x.oid and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
    and d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
  join pg_catalog.pg_rewrite r on r.oid = d.objid
  join pg_catalog.pg_class v on v.oid = r.ev_class and v.relkind in ('v', 'm')
), open as (
  select v.oid, v.relnamespace, v.relname, v.relkind, x.privilege_type as privilege
  from reader join pg_catalog.pg_class v on v.oid = reader.oid
  cross join lateral (
    select a.grantee, a.privilege_type from pg_catalog.aclexplode(v.relacl) a
    union all select a.grantee, a.privilege_type from pg_catalog.pg_attribute c cross join lateral pg_catalog.aclexplode(c.attacl) a
    where c.attrelid = v.oid and not c.attisdropped
  ) x
  where x.grantee = 0 and v.oid <> all ($1::oid[]) and not exists (
    select 1 from pg_catalog.pg_options_to_table(v.reloptions) o where o.option_name = 'security_invoker' and o.option_value::bool)
)
select n.nspname as schema, o.relname as name, bool_or(o.privilege = 'SELECT') as reads,
  bool_or(o.relkind = 'v' and pg_catalog.pg_relation_is_updatable(o.oid, true)
    & case o.privilege when 'INSERT' then 8 when 'UPDATE' then 4 when 'DELETE' then 16 else 0 end <> 0) as writes
from open o join pg_catalog.pg_namespace n on n.oid = o.relnamespace and n.nspname <> 'rowgate_policy' and ${lasting('n.nspname')}
group by 1, 2 order by 1, 2`;

/**
 * Reports views that PUBLIC may use. They read as their owner, and no policy limits an owner, so they show every row.
 */
export const openViews = queryLint<{
  schema: string;
  name: string;
  reads: boolean;
  writes: boolean;
}>(
  { query: viewsQuery, values: ({ tables }) => [tables] },
  {
    when: ({ reads }) => reads,
    severity: 'warning',
    code: 'RG_OPEN_VIEW',
    message: ({ schema, name }) =>
      `PUBLIC may read ${schema}.${name}, which shows every row of a table with rules`,
    hint: (row) => `run: revoke all on ${qualified(row).text} from public`,
  },
  {
    when: ({ writes }) => writes,
    severity: 'error',
    code: 'RG_OPEN_VIEW',
    message: ({ schema, name }) =>
      `PUBLIC may write to ${schema}.${name}, and by it to a table with rules, around them`,
    hint: (row) => `run: revoke all on ${qualified(row).text} from public`,
  },
);

/**
 * $1: oids of managed tables, $2: schemas that hold managed tables. The query returns relations without rules in these
 * schemas that PUBLIC may use. It skips tables of extensions. It ignores grants to compiled roles, because apply itself
 * revokes them.
 */
const tablesQuery = `
select n.nspname as schema, c.relname as name, c.relkind as kind,
  pg_catalog.string_agg(distinct pg_catalog.lower(x.privilege_type), ', ' order by pg_catalog.lower(x.privilege_type)) as privileges
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
cross join lateral (
  select a.grantee, a.privilege_type from pg_catalog.aclexplode(c.relacl) a
  union all select a.grantee, a.privilege_type from pg_catalog.pg_attribute k cross join lateral pg_catalog.aclexplode(k.attacl) a
  where k.attrelid = c.oid and not k.attisdropped
) x
where n.nspname = any ($2::text[]) and c.relkind in ('r', 'p', 'f', 'S') and not c.relrowsecurity
  and c.oid <> all ($1::oid[]) and x.grantee = 0
  and x.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'USAGE')
  and not exists (select 1 from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objid = c.oid and d.deptype = 'e')
group by 1, 2, 3 order by 1, 2`;

/**
 * Reports tables and sequences that PUBLIC may use although they have neither rules nor row security. Every role may
 * use the schema, so every role can read them.
 */
export const unmanagedTables = queryLint<{
  schema: string;
  name: string;
  kind: 'r' | 'p' | 'f' | 'S';
  privileges: string;
}>(
  { query: tablesQuery, values: (seen) => [seen.tables, managedSchemas(seen)] },
  {
    when: ({ kind }) => kind === 'S',
    severity: 'warning',
    code: 'RG_EXTRA_PRIVILEGE',
    message: ({ schema, name, privileges }) =>
      `PUBLIC may ${privileges} on sequence ${schema}.${name}, which reveals the number of rows`,
    hint: (row) => `run: revoke all on sequence ${qualified(row).text} from public`,
  },
  {
    when: ({ kind }) => kind !== 'S',
    severity: 'warning',
    code: 'RG_UNMANAGED_TABLE',
    message: ({ schema, name, kind, privileges }) =>
      `PUBLIC may ${privileges} on ${schema}.${name}${kind === 'f' ? ', a foreign table' : ''}, which has neither rules nor row security`,
    hint: (row) => {
      const revoke = `run: revoke all on ${qualified(row).text} from public`;
      return row.kind === 'f' ? revoke : `write a file with its rules, or ${revoke}`;
    },
  },
);

/**
 * $1: oids of managed tables. The query returns the tables above them that have no rules. For a statement on a parent,
 * Postgres applies only the policies of the parent, not those of the children
 * (https://www.postgresql.org/docs/current/ddl-inherit.html).
 */
const parentsQuery = `
with recursive above as (
  select i.inhrelid as child, i.inhparent as parent from pg_catalog.pg_inherits i where i.inhrelid = any ($1::oid[])
  union
  select a.child, i.inhparent from above a join pg_catalog.pg_inherits i on i.inhrelid = a.parent
)
select cn.nspname as "childSchema", c.relname as child, pn.nspname as schema, p.relname as name,
  not p.relrowsecurity and exists (
    select 1 from (
      select x.grantee, x.privilege_type from pg_catalog.aclexplode(p.relacl) x
      union all select x.grantee, x.privilege_type from pg_catalog.pg_attribute a cross join lateral pg_catalog.aclexplode(a.attacl) x
      where a.attrelid = p.oid and not a.attisdropped
    ) x where x.grantee = 0 and x.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')) as open
from above a
join pg_catalog.pg_class c on c.oid = a.child join pg_catalog.pg_namespace cn on cn.oid = c.relnamespace
join pg_catalog.pg_class p on p.oid = a.parent join pg_catalog.pg_namespace pn on pn.oid = p.relnamespace
where a.parent <> all ($1::oid[]) and p.relkind in ('r', 'p')
order by 1, 2, 3, 4`;

/** Reports parent tables without rules through which a role can reach the rows of a child table with rules. */
export const unmanagedParents = queryLint<{
  childSchema: string;
  child: string;
  schema: string;
  name: string;
  open: boolean;
}>(
  { query: parentsQuery, values: ({ tables }) => [tables] },
  {
    severity: ({ open }) => (open ? 'error' : 'warning'),
    code: 'RG_UNMANAGED_PARENT',
    message: ({ childSchema, child, schema, name, open }) =>
      `${schema}.${name} has no rules, and the rows of ${childSchema}.${child} are reached through it${open ? ' by PUBLIC' : ''}`,
    hint: (row) =>
      row.open
        ? `write its rules, or run: revoke all on ${qualified(row).text} from public`
        : 'write its rules too: the rules of a child do not apply to queries on the parent',
  },
);

/**
 * $1: schemas that hold managed tables, $2: Rowgate's roles. The query returns default privileges for future objects in
 * these schemas. PUBLIC's privilege to execute new functions is skipped, because it exists in every database.
 */
const defaultsQuery = `
select o.rolname as owner, n.nspname as schema, coalesce(g.rolname, 'PUBLIC') as role,
  case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' else 'functions' end as kind,
  pg_catalog.string_agg(distinct pg_catalog.lower(x.privilege_type), ', ' order by pg_catalog.lower(x.privilege_type)) as privileges
from pg_catalog.pg_default_acl d
join pg_catalog.pg_roles o on o.oid = d.defaclrole
left join pg_catalog.pg_namespace n on n.oid = d.defaclnamespace
cross join lateral pg_catalog.aclexplode(d.defaclacl) x
left join pg_catalog.pg_roles g on g.oid = x.grantee
where (d.defaclnamespace = 0 or n.nspname = any ($1::text[]))
  and (d.defaclobjtype in ('r', 'S') and x.grantee = 0 or d.defaclobjtype in ('r', 'S', 'f') and g.rolname = any ($2::text[]))
group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

/**
 * Reports default privileges, because every future table gets them. Apply revokes default privileges of compiled roles
 * the next time it runs, but never those of PUBLIC.
 */
export const defaultPrivileges = queryLint<{
  owner: string;
  schema: string | null;
  role: string;
  kind: string;
  privileges: string;
}>(
  { query: defaultsQuery, values: (seen) => [managedSchemas(seen), ourRoles(seen)] },
  {
    severity: 'warning',
    code: 'RG_DEFAULT_PRIVILEGE',
    message: ({ owner, schema, role, kind, privileges }) =>
      `${granteeOf(role)} gets ${privileges} on all ${kind} that "${owner}" will make${inSchema(schema)}`,
    hint: ({ owner, schema, role, kind }) =>
      `run: alter default privileges for role ${ident(owner).text}${inSchema(schema)} revoke all on ${kind} from ${granteeOf(role)}`,
  },
);

const granteeOf = (role: string) => (role === 'PUBLIC' ? 'PUBLIC' : ident(role).text);

const inSchema = (schema: string | null) =>
  schema === null ? '' : ` in schema ${ident(schema).text}`;
