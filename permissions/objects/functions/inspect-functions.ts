import type pg from 'pg';
import { apiSchema, isCall, isOwnerCall, upsertFunction } from '../../text/object-names.ts';
import type { FunctionRow } from '../state/function-row.ts';
import { renderedFunction } from '../state/rendered-hash.ts';
import type { FoundObject } from '../state/state-object.ts';
import { foundApiFunction } from './api-function.ts';
import { foundCall } from './call.ts';
import { foundFunction } from './function.ts';

/**
 * Reads the functions of Rowgate's schemas. The newest functions come first, so that each function comes before the
 * functions that it calls, and can be dropped before them.
 */
const query = `
select n.nspname as schema, p.proname as name, p.proname || '(' || pg_catalog.oidvectortypes(p.proargtypes) || ')' as signature,
  p.oid::pg_catalog.regprocedure::text as target, g.rolname as owner,
  p.proowner = (select o.nspowner from pg_catalog.pg_namespace o where o.nspname = 'rowgate') as "isOurs",
  pg_catalog.obj_description(p.oid, 'pg_proc') as comment, ${renderedFunction} as rendered
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_roles g on g.oid = p.proowner
where n.nspname in ('rowgate_policy', 'rowgate_api') and p.prokind = 'f'
order by p.oid desc`;

/** Reads all functions of Rowgate's schemas in one query. The name of a function determines its kind of object. */
export async function inspectFunctions(client: pg.ClientBase): Promise<readonly FoundObject[]> {
  const { rows } = await client.query<FunctionRow>(query);
  return rows.map((row) => {
    const { schema, name } = row;
    if (isCall(schema, name)) return foundCall(row);
    const isFunction = schema !== apiSchema || isOwnerCall(schema, name);
    return isFunction || upsertFunction(schema, name) ? foundFunction(row) : foundApiFunction(row);
  });
}
