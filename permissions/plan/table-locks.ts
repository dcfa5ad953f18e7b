import { tableKey } from '../catalog/catalog.ts';
import type { CatalogTable } from '../catalog/types.ts';
import type { Prepared } from './prepare.ts';

/** Maximum time for which apply waits for one lock, in milliseconds. */
export const lockTimeoutMs = 500;
/** Maximum number of attempts to get all locks. Between two attempts apply holds none. */
export const lockAttempts = 40;

/** Maximum time for which apply holds its locks, in seconds, unless the command line says otherwise. */
export const maxHeldSeconds = 60;

/** A lock that apply takes on a table and holds until its transaction ends. */
export interface TableLock {
  readonly schema: string;
  readonly name: string;
  /**
   * `access exclusive` blocks all reads and writes. `share update exclusive` blocks only other changes of the table.
   */
  readonly mode: 'access exclusive' | 'share update exclusive';
}

/** Returns the tables that apply locks before it runs a plan: all that have rules, when any policy or trigger changes. */
export function tablesToLock({ loaded, plan, tables }: Prepared): readonly CatalogTable[] {
  const touches = plan.changes.some(
    ({ action, kind }) =>
      action !== 'annotate' && ['policy', 'trigger', 'row security'].includes(kind),
  );
  if (!touches) return [];
  return loaded.catalog.data.tables
    .filter((table) => tables.includes(table.oid) && !table.view)
    .toSorted((a, b) => a.oid - b.oid);
}

/** Returns all locks on user-defined tables that a plan takes, sorted by name. */
export function tableLocks(prepared: Prepared): readonly TableLock[] {
  const { plan, loaded } = prepared;
  const locks = new Map<string, TableLock>();
  const add = ({ schema, name }: Pick<TableLock, 'schema' | 'name'>, mode: TableLock['mode']) => {
    const key = tableKey(schema, name);
    if (schema !== 'rowgate' && locks.get(key)?.mode !== 'access exclusive')
      locks.set(key, { schema, name, mode });
  };
  for (const table of tablesToLock(prepared)) add(table, 'access exclusive');
  for (const { action, kind, id } of plan.changes) {
    if (action === 'annotate') continue;
    const [, schema = '', name = ''] = JSON.parse(id) as string[];
    // Tables that the metadata no longer names lose their policies and triggers.
    if (kind === 'policy' || kind === 'trigger') add({ schema, name }, 'access exclusive');
    if (kind !== 'statistics') continue;
    const below = loaded.catalog.tables.get(tableKey(schema, name))?.descendants ?? [];
    const found = below.flatMap((key) => loaded.catalog.tables.get(key) ?? []);
    for (const table of [{ schema, name }, ...found]) add(table, statisticsLock(prepared));
  }
  return [...locks.values()].toSorted((a, b) =>
    `${a.schema}.${a.name}` < `${b.schema}.${b.name}` ? -1 : 1,
  );
}

/** Before Postgres 18, existing statistics are removed by a change of the column's type. */
function statisticsLock({ loaded }: Prepared): TableLock['mode'] {
  return loaded.catalog.data.serverVersion >= 180000
    ? 'share update exclusive'
    : 'access exclusive';
}
