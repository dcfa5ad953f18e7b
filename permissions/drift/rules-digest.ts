import type pg from 'pg';

/** Privileges on server parameters. They exist in Postgres 15 and later. */
const parameters = `
  union all select pg_catalog.md5((a.parname, x.grantee, x.privilege_type)::text)
    from pg_catalog.pg_parameter_acl a cross join lateral pg_catalog.aclexplode(a.paracl) x
    where x.grantee = 0 or x.grantee in (select oid from ours)`;

/**
 * Memberships that give rights. In Postgres 16 and later, a role that creates another role becomes its member with only
 * the admin option. Such a membership gives no rights, so the digest excludes it.
 */
const used = ['set_option', 'inherit_option']
  .map((option) => `coalesce((pg_catalog.to_jsonb(m) ->> '${option}')::bool, true)`)
  .join(' or ');

const query = (more: string) => `
with recursive ours as (
  select r.oid from pg_catalog.pg_roles r
  join pg_catalog.pg_shdescription d on d.objoid = r.oid and d.classoid = 'pg_catalog.pg_authid'::pg_catalog.regclass
  where pg_catalog.strpos(d.description,
    (select (rowgate_api.installation() ->> 'id') || ' ' || pg_catalog.current_database())) > 0
  union select m.member from pg_catalog.pg_auth_members m join ours o on o.oid = m.roleid
  where ${used}
), space as (
  select n.* from pg_catalog.pg_namespace n where n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
), relation as (
  select c.* from pg_catalog.pg_class c join space n on n.oid = c.relnamespace
), part (digest) as (
  select pg_catalog.md5(p::text) from pg_catalog.pg_policy p
  union all select pg_catalog.md5((t.oid, t.tgrelid, t.tgname, t.tgfoid, t.tgtype, t.tgenabled, t.tgparentid, t.tgattr, t.tgqual)::text)
    from pg_catalog.pg_trigger t where not t.tgisinternal or t.tgparentid <> 0
  union all select pg_catalog.md5((c.oid, c.relname, c.relnamespace, c.relkind, c.relowner, c.relacl, c.relrowsecurity, c.relforcerowsecurity, c.reloptions)::text)
    from relation c
  union all select pg_catalog.md5((a.attrelid, a.attnum, a.attname, a.atttypid, a.attacl, a.attstattarget)::text)
    from pg_catalog.pg_attribute a join relation c on c.oid = a.attrelid where a.attnum > 0
  union all select pg_catalog.md5(d::text) from pg_catalog.pg_attrdef d join relation c on c.oid = d.adrelid where c.relkind = 'v'
  union all select pg_catalog.md5(i::text) from pg_catalog.pg_inherits i
  union all select pg_catalog.md5(r::text) from pg_catalog.pg_rewrite r join relation c on c.oid = r.ev_class
  union all select pg_catalog.md5(f::text) from pg_catalog.pg_proc f join space n on n.oid = f.pronamespace
  union all select pg_catalog.md5(n::text) from space n
  union all select pg_catalog.md5(r::text) from pg_catalog.pg_roles r join ours o on o.oid = r.oid
  union all select pg_catalog.md5(m::text) from pg_catalog.pg_auth_members m where m.roleid in (select oid from ours) or m.member in (select oid from ours)
  union all select pg_catalog.md5(s::text) from pg_catalog.pg_db_role_setting s
    where s.setdatabase in (0, (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()))
      and (s.setrole = 0 or s.setrole in (select oid from ours))
  union all select pg_catalog.md5(d::text) from pg_catalog.pg_default_acl d
  union all select pg_catalog.md5((d.datdba, d.datacl)::text) from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()
  union all select pg_catalog.md5(d::text) from pg_catalog.pg_shdepend d join ours o on o.oid = d.refobjid
    where d.deptype = 'o' and d.dbid = (select b.oid from pg_catalog.pg_database b where b.datname = pg_catalog.current_database())
  union all select pg_catalog.md5(d::text) from pg_catalog.pg_shdescription d join ours o on o.oid = d.objoid
  union all select pg_catalog.md5(d::text) from pg_catalog.pg_description d
    where d.classoid = any (array['pg_catalog.pg_policy', 'pg_catalog.pg_proc', 'pg_catalog.pg_class']::pg_catalog.regclass[]) and d.objoid >= 16384
  union all select pg_catalog.md5(rowgate_api.installation()::text)${more}
)
select pg_catalog.md5(pg_catalog.string_agg(digest, '' order by digest)) as digest from part`;

/**
 * Returns a digest of all catalog entries that decide how the rules of this database act. While the digest stays the
 * same, drift stays the same, too. When the digest changes, the caller has to compare again, because the reason may be
 * harmless. Changes in other databases of the cluster do not affect the digest. The login of any gateway may read it.
 */
export async function readRulesDigest(client: pg.ClientBase): Promise<string> {
  const { rows: versions } = await client.query<{ version: number }>(
    "select pg_catalog.current_setting('server_version_num')::int as version",
  );
  const more = (versions[0]?.version ?? 0) >= 150000 ? parameters : '';
  const { rows } = await client.query<{ digest: string }>(query(more));
  return rows[0]?.digest ?? '';
}
