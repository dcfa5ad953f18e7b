import type pg from 'pg';

/**
 * Returns digests of the definitions of schemas, types, tables, columns, constraints, indexes, triggers and functions,
 * by names like `column public.invoice.total`. A definition has the same digest in Postgres 14 and all later versions.
 * Whole-line comments in the body of a function do not count.
 * Must run inside a transaction, because it changes settings that decide how Postgres prints definitions.
 * @param names the definitions to read; default: those in all schemas except Postgres's own
 */
export async function readSchemaFacts(
  client: pg.ClientBase,
  names?: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  await client.query(pinnedSettings);
  const { rows } = await client.query<{ name: string; digest: string }>(
    `select f.name, pg_catalog.left(pg_catalog.encode(pg_catalog.sha256(
         pg_catalog.convert_to(f.definition, 'UTF8')), 'hex'), 16) as digest
     from (${facts}) f where $1::text[] is null or f.name = any ($1) order by f.name collate "C"`,
    [names ?? null],
  );
  return new Map(rows.map((row) => [row.name, row.digest]));
}

/**
 * Settings under which Postgres prints definitions identically in every session. With this search path, Postgres prints
 * qualified names. The other settings fix the format of dates, intervals and names.
 */
const pinnedSettings = `select pg_catalog.set_config(name, value, true) from (values
  ('search_path', 'pg_catalog, pg_temp'), ('timezone', 'UTC'), ('datestyle', 'ISO, MDY'),
  ('intervalstyle', 'postgres'), ('quote_all_identifiers', 'off')) s(name, value)`;

const ownSchemas = `n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`;

/**
 * Returns SQL that is true if PUBLIC has any privilege on an object. A null ACL stands for the default privileges of
 * the object's kind.
 */
const isPublic = (acl: string, kind: string, owner: string) =>
  `exists (select from pg_catalog.aclexplode(coalesce(${acl}, pg_catalog.acldefault('${kind}', ${owner}))) x where x.grantee = 0)`;

const qualified = `n.nspname || '.' || c.relname`;

const schemas = `
select 'schema ' || n.nspname, 'open to all: ' || ${isPublic('n.nspacl', 'n', 'n.nspowner')}
from pg_catalog.pg_namespace n where n.nspname <> 'public' and ${ownSchemas}`;

const relations = `
select case c.relkind when 'c' then 'type ' else 'table ' end || ${qualified}, pg_catalog.concat_ws(' ', c.relkind, c.relpersistence)
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'c') and ${ownSchemas}`;

const columns = `
select 'column ' || ${qualified} || '.' || a.attname, pg_catalog.concat_ws(' ',
  pg_catalog.format_type(a.atttypid, a.atttypmod), a.attcollation::regcollation::text, a.attnotnull::text,
  'identity', a.attidentity, 'generated', a.attgenerated, 'default', pg_catalog.pg_get_expr(d.adbin, d.adrelid))
from pg_catalog.pg_attribute a
join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'c') and ${ownSchemas}`;

/**
 * Definitions of constraints. Postgres 18 also has constraints for not-null columns. The query skips them, because the
 * definitions of the columns contain this fact.
 */
const constraints = `
select 'constraint ' || ${qualified} || '.' || k.conname, pg_catalog.pg_get_constraintdef(k.oid)
from pg_catalog.pg_constraint k
join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where k.contype in ('c', 'f', 'p', 'u', 'x') and ${ownSchemas}`;

const indexes = `
select 'index ' || n.nspname || '.' || i.relname, pg_catalog.pg_get_indexdef(x.indexrelid)
from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid
join pg_catalog.pg_class c on c.oid = x.indrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where ${ownSchemas}`;

const triggers = `
select 'trigger ' || ${qualified} || '.' || t.tgname, pg_catalog.concat_ws(' ', t.tgenabled, pg_catalog.pg_get_triggerdef(t.oid))
from pg_catalog.pg_trigger t
join pg_catalog.pg_class c on c.oid = t.tgrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where not t.tgisinternal and ${ownSchemas}`;

/** Without whole-line comments, a function keeps its digest when a migration file explains it in other words. */
const bodyWithoutComments = `pg_catalog.regexp_replace(p.prosrc, '^ *--.*\\n', '', 'gn')`;

const functions = `
select 'function ' || n.nspname || '.' || p.proname || '(' || pg_catalog.oidvectortypes(p.proargtypes) || ')',
  pg_catalog.concat_ws(E'\\n', pg_catalog.pg_get_function_arguments(p.oid), pg_catalog.pg_get_function_result(p.oid),
    l.lanname, p.prokind, p.provolatile, p.prosecdef, p.proisstrict, p.proconfig::text, ${bodyWithoutComments},
    ${isPublic('p.proacl', 'f', 'p.proowner')})
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace join pg_catalog.pg_language l on l.oid = p.prolang
where ${ownSchemas}`;

const facts = `select * from (${[schemas, relations, columns, constraints, indexes, triggers, functions].join(' union all ')}) u (name, definition)`;
