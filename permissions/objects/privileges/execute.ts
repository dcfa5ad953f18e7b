import {
  apiSchema,
  calledAs,
  isCall,
  isOwnerCall,
  policySchema,
  upsertFunction,
} from '../../text/object-names.ts';
import { ident, join, literal, type SqlText, sql } from '../../text/sql-text.ts';
import { type InspectContext, lasting } from '../state/inspect-context.ts';
import { type DesiredObject, desired, type FoundObject, found } from '../state/state-object.ts';
import type { Grantee } from './grant.ts';

/** A function, as the target of an EXECUTE privilege. */
export interface ExecuteTarget {
  /** Absent: the schema rowgate_api. */
  readonly schema?: string;
  /** The name within the schema. A user-defined function also has its argument types, as `idName` returns them. */
  readonly id: string;
  readonly label: string;
  readonly target: SqlText;
}

export const executeId = (schema: string, id: string, role: string) =>
  JSON.stringify(['execute', schema, id, role]);

export function executeObject(called: ExecuteTarget, role: string): DesiredObject {
  const { schema = apiSchema } = called;
  return desired({
    kind: 'execute',
    id: executeId(schema, called.id, role),
    label: `grant execute on function ${schema}.${called.label} to ${role}`,
    definition: 'EXECUTE',
    create: [sql`grant execute on function ${called.target} to ${ident(role)}`],
  });
}

/** True for functions whose privilege of PUBLIC matters. It reads no joined table, so that Postgres joins few functions. */
const showsPublic = `p.prosecdef or p.pronamespace = any (array(
  select own.oid from pg_catalog.pg_namespace own where own.nspname in ('rowgate', 'rowgate_api', 'rowgate_policy')))`;

/**
 * $1: oids of Rowgate's roles. The query returns their EXECUTE privileges. For user-defined functions with the rights
 * of their owner, it also returns the privilege of PUBLIC, which apply may have to revoke. A function without an ACL has
 * only the default privileges of its owner and PUBLIC. Most of the thousands of built-in functions are such ones, so they
 * are left out before ACLs are expanded. The limit makes Postgres look up each argument type by its oid. Without it,
 * Postgres expects more arguments and reads all of pg_type for each function.
 */
const query = `
select n.nspname as schema, p.proname || '(' || pg_catalog.oidvectortypes(p.proargtypes) || ')' as signature,
  (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('schema', tn.nspname, 'name', t.typname) order by a.position), '[]')
    from pg_catalog.unnest(p.proargtypes) with ordinality a(type, position)
    cross join lateral (select * from pg_catalog.pg_type t where t.oid = a.type limit 1) t
    join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace)::text as types,
  p.proname as name, p.oid::pg_catalog.regprocedure::text as target, p.prokind = 'p' as procedure,
  coalesce(g.rolname, 'public') as role, x.grantee = 0 as public, bool_or(x.is_grantable) as grantable
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
cross join lateral pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) x
left join pg_catalog.pg_roles g on g.oid = x.grantee
where x.grantee <> p.proowner and ${lasting('n.nspname')}
  and (p.proacl is not null or ${showsPublic})
  and (x.grantee = any ($1::oid[]) or x.grantee = 0 and (${showsPublic}))
group by 1, 2, 3, 4, 5, 6, 7, 8`;

interface ExecuteRow extends Grantee {
  readonly schema: string;
  readonly signature: string;
  readonly name: string;
  /** JSON array of the argument types, each as `{schema, name}`. */
  readonly types: string;
  readonly target: string;
  readonly procedure: boolean;
  readonly grantable: boolean;
}

const ownSchemas = new Set(['rowgate', apiSchema, policySchema]);

export async function inspectExecutes(context: InspectContext): Promise<readonly FoundObject[]> {
  const { rows } = await context.client.query<ExecuteRow>(query, [context.oids]);
  const idOf = (row: ExecuteRow) => executeId(row.schema, idName(row), row.role);
  const { login, callsOfAll } = context.query;
  return rows
    .filter((row) => {
      if (row.public) return ownSchemas.has(row.schema) || callsOfAll.has(idOf(row));
      return !context.foreignLogin || row.role !== login || row.schema === apiSchema;
    })
    .map((row) =>
      found({
        kind: 'execute',
        id: idOf(row),
        label: `execute on ${row.schema}.${row.signature} of ${row.role}`,
        definition: row.grantable ? 'EXECUTE grantable' : 'EXECUTE',
        drop: [revoke(row)],
      }),
    );
}

/**
 * Returns the id of a function. A generated function has a unique name. The id of a user-defined function also contains
 * its argument types.
 */
function idName({ schema, name, signature, types }: ExecuteRow): string {
  const isUnique =
    upsertFunction(schema, name) !== undefined || isCall(schema, name) || isOwnerCall(schema, name);
  if (isUnique) return name;
  return ownSchemas.has(schema) ? signature : calledAs(name, JSON.parse(types));
}

/**
 * Returns the statement that revokes an EXECUTE privilege. The statement names the function by the signature that
 * Postgres printed and quoted, and looks the function up again when it runs.
 */
function revoke(row: ExecuteRow): SqlText {
  const kind = row.procedure ? 'procedure' : 'function';
  const statement = join([literal(`revoke all on ${kind} %s from %s`), literal(row.target)], ', ');
  const from = row.public ? sql`'public'` : sql`pg_catalog.quote_ident(${literal(row.role)})`;
  return sql`do ${literal(`begin execute pg_catalog.format(${statement.text}::pg_catalog.regprocedure, ${from.text}); end`)}`;
}
