import { ident, qualified } from '../../text/sql-text.ts';
import { queryLint } from '../query-lint.ts';

/** A policy, trigger or rewrite rule of a managed table. */
interface OnTable {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
}

/** $1: oids of managed tables. The query returns policies on them that Rowgate did not create. */
const policiesQuery = `
select n.nspname as schema, c.relname as table, p.polname as name, p.polpermissive as permissive
from pg_catalog.pg_policy p
join pg_catalog.pg_class c on c.oid = p.polrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid = any ($1::oid[]) and p.polname not like 'rowgate/%'
order by 1, 2, 3`;

/**
 * Reports policies on managed tables that Rowgate did not create. A permissive one can show rows that the rules hide.
 */
export const foreignPolicies = queryLint<OnTable & { readonly permissive: boolean }>(
  { query: policiesQuery, values: ({ tables }) => [tables] },
  {
    severity: 'error',
    code: 'RG_FOREIGN_POLICY',
    message: ({ name, schema, table, permissive }) => {
      const effect = permissive
        ? 'opens rows beside the rules'
        : 'hides rows from the rules, which turns every "not" over them around';
      return `policy "${name}" on ${schema}.${table} is not Rowgate's: it ${effect}`;
    },
    hint: ({ name, schema, table }) =>
      `express it as a rule and run: drop policy "${name}" on "${schema}"."${table}"`,
  },
);

/** $1: oids of managed tables. The query returns row triggers that run before the triggers that set presets. */
const earlyQuery = `
select n.nspname as schema, c.relname as table, t.tgname as name
from pg_catalog.pg_trigger t
join pg_catalog.pg_class c on c.oid = t.tgrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where t.tgrelid = any ($1::oid[]) and not t.tgisinternal and t.tgtype & 3 = 3 and t.tgname < '!rowgate/preset' collate "C"
order by 1, 2, 3`;

/**
 * Reports triggers that run before the triggers of presets, because they see rows without the values that presets set.
 */
export const earlyTriggers = queryLint<OnTable>(
  { query: earlyQuery, values: ({ tables }) => [tables] },
  {
    severity: 'warning',
    code: 'RG_FOREIGN_TRIGGER',
    message: ({ name, schema, table }) =>
      `trigger "${name}" on ${schema}.${table} runs before the presets and sees rows without them`,
    hint: () => 'give it a name that begins with a letter',
  },
);

/**
 * $1: oids of managed tables, $2: schemas that Rowgate's own migrations create. The query returns triggers on the
 * tables whose function runs with the rights of its owner. It skips functions in the schemas.
 */
const definerQuery = `
select n.nspname as schema, c.relname as table, t.tgname as name, p.oid::pg_catalog.regprocedure::text as target, g.rolname as owner
from pg_catalog.pg_trigger t
join pg_catalog.pg_class c on c.oid = t.tgrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_proc p on p.oid = t.tgfoid and p.prosecdef
join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace and pn.nspname <> all ($2::text[])
join pg_catalog.pg_roles g on g.oid = p.proowner
where t.tgrelid = any ($1::oid[]) and not t.tgisinternal and t.tgparentid = 0
order by 1, 2, 3`;

/**
 * Reports triggers whose function runs with the rights of its owner. Through them, a role may write what its rules
 * forbid.
 */
export const definerTriggers = queryLint<
  OnTable & { readonly target: string; readonly owner: string }
>(
  { query: definerQuery, values: ({ tables, ownSchemas }) => [tables, ownSchemas] },
  {
    severity: 'warning',
    code: 'RG_DEFINER_TRIGGER',
    message: ({ name, schema, table, owner }) =>
      `trigger "${name}" on ${schema}.${table} acts with the rights of "${owner}" for every role that writes there`,
    hint: ({ target }) =>
      `see what ${target} reads and writes, or run: alter function ${target} security invoker`,
  },
);

/** $1: oids of managed tables. The query returns their rewrite rules. */
const rewritesQuery = `
select n.nspname as schema, c.relname as table, r.rulename as name
from pg_catalog.pg_rewrite r
join pg_catalog.pg_class c on c.oid = r.ev_class
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where r.ev_class = any ($1::oid[]) and r.ev_enabled <> 'D' and r.ev_type <> '1'
order by 1, 2, 3`;

/** Reports rewrite rules, because the statements that they add run with the rights of the owner of the table. */
export const rewriteRules = queryLint<OnTable>(
  { query: rewritesQuery, values: ({ tables }) => [tables] },
  {
    severity: 'warning',
    code: 'RG_REWRITE_RULE',
    message: ({ name, schema, table }) =>
      `rule "${name}" on ${schema}.${table} rewrites what roles do there, and what it adds obeys no policy`,
    hint: ({ name, schema, table }) =>
      `make it a trigger and run: drop rule ${ident(name).text} on ${qualified({ schema, name: table }).text}`,
  },
);
