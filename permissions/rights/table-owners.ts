import type pg from 'pg';
import { tableKey } from '../catalog/catalog.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Model } from '../types/model.ts';
import type { CommandLogin } from './login.ts';
import {
  exclusiveOwner,
  type ObjectOwner,
  own,
  qualifiedName,
  relationKind,
} from './statements.ts';

interface TableRow extends ObjectOwner, Pick<CommandLogin, 'serverVersion' | 'inherits'> {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  /** The login that runs apply. */
  readonly login: string;
}

/**
 * $1: oids of managed tables, $2: name of the login that runs apply (the applier), or null. Null stands for the
 * connected login or, when that may not use the schema rowgate (as a gateway), for the owner of this schema. The query
 * returns the tables that the applier may not alter.
 */
const query = `
select n.nspname as schema, c.relname as name, c.relkind as kind, o.rolname as owner, ${exclusiveOwner} as exclusive,
  m.rolname as login, m.rolinherit as inherits, pg_catalog.current_setting('server_version_num')::int as "serverVersion"
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_roles o on o.oid = c.relowner
join pg_catalog.pg_roles m on m.oid =
  coalesce((select g.oid from pg_catalog.pg_roles g where g.rolname = $2), (select r.nspowner from pg_catalog.pg_namespace r where r.nspname = 'rowgate' and not pg_catalog.has_schema_privilege(r.oid, 'USAGE')),
    (select r.oid from pg_catalog.pg_roles r where r.rolname = current_user))
where c.oid = any ($1::oid[]) and not pg_catalog.pg_has_role(m.oid, c.relowner, 'USAGE')
order by 1, 2`;

/**
 * Returns the tables that the applier may not alter, because apply could not create policies on them.
 * @param applier name of the login that runs apply; by default, the query decides
 */
export async function tablesOfOthers(
  client: pg.ClientBase,
  tables: readonly number[],
  { model, applier }: { readonly model: Model; readonly applier?: string },
): Promise<readonly Diagnostic[]> {
  const { rows } = await client.query<TableRow>(query, [tables, applier ?? null]);
  return rows.map((row) => {
    const { schema, name, kind, owner, login, ...facts } = row;
    const position = model.tables.get(tableKey(schema, name))?.position;
    return {
      code: 'RG_NOT_OWNER',
      severity: 'error',
      ...(position && { position }),
      message: `${schema}.${name} belongs to another role, "${owner}"`,
      hint: 'let DATABASE_URL log in as the owner of the tables',
      statements: own(`${relationKind(kind)} ${qualifiedName(row)}`, row, {
        ...facts,
        name: login,
      }),
    };
  });
}
