import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogView } from '../../catalog/types.ts';
import type { TableKey } from '../../types/names.ts';

/**
 * Returns the tables and columns that a view reads, directly or through other views. A table may occur several
 * times.
 */
export function baseTableReads(key: TableKey, catalog: Catalog): CatalogView['reads'] {
  const reads = catalog.tables.get(key)?.view?.reads ?? [];
  return reads.flatMap((read) =>
    catalog.tables.get(read.table)?.view ? baseTableReads(read.table, catalog) : [read],
  );
}
