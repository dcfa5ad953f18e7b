import type pg from 'pg';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogTable } from '../catalog/types.ts';
import { isEnumValue } from '../model/enums/enum-values.ts';
import { enumColumns } from '../model/enums/enums.ts';
import { ident, qualified } from '../text/sql-text.ts';

/** Facts about a table that the catalog of the compiler does not contain. */
export interface TableFacts {
  readonly isPartition: boolean;
  /** Name of the extension that created the table. */
  readonly extension: string | null;
  /** Name of the owner if the login of the connection lacks the rights of the owner. */
  readonly foreignOwner: string | null;
  /** A policy on the table that Rowgate did not create. */
  readonly foreignPolicy: string | null;
  /** Whether the login may read the rows. */
  readonly isReadable: boolean;
}

const factsQuery = `
select c.oid::int8 as oid, c.relispartition as "isPartition",
  (select e.extname from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
    where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objid = c.oid and d.deptype = 'e'
      and d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass limit 1) as extension,
  case when not pg_catalog.pg_has_role(c.relowner, 'USAGE') then pg_catalog.pg_get_userbyid(c.relowner) end as "foreignOwner",
  (select p.polname from pg_catalog.pg_policy p where p.polrelid = c.oid and p.polname not like 'rowgate/%'
    order by 1 limit 1) as "foreignPolicy",
  pg_catalog.has_table_privilege(c.oid, 'SELECT')
    and pg_catalog.has_schema_privilege(c.relnamespace, 'USAGE') as "isReadable"
from pg_catalog.pg_class c where c.oid = any ($1::oid[])`;

/** Returns the facts about tables by their oids. */
export async function readTableFacts(
  client: pg.ClientBase,
  tables: readonly CatalogTable[],
): Promise<ReadonlyMap<number, TableFacts>> {
  const { rows } = await client.query<TableFacts & { oid: string }>(factsQuery, [
    tables.map(({ oid }) => oid),
  ]);
  return new Map(rows.map(({ oid, ...facts }) => [Number(oid), facts]));
}

/** Maximum number of rows of a table that is proposed as an enum. */
const maxEnumRows = 100;

/**
 * Returns the tables that could be enums: they have the form of an enum table, other tables refer to them, and they
 * contain few rows, whose values are valid in GraphQL.
 */
export async function findEnumTables(
  client: pg.ClientBase,
  tables: readonly CatalogTable[],
  catalog: Catalog,
): Promise<ReadonlySet<CatalogTable>> {
  const targets = new Set(
    catalog.data.tables.flatMap(({ foreignKeys }) => foreignKeys.map(({ table }) => table)),
  );
  const found = new Set<CatalogTable>();
  for (const key of targets) {
    const table = catalog.tables.get(key);
    if (!table || !tables.includes(table) || !'rp'.includes(table.kind)) continue;
    const columns = enumColumns(table, catalog);
    if (typeof columns === 'object' && (await hasEnumValues(client, table, columns.value))) {
      found.add(table);
    }
  }
  return found;
}

async function hasEnumValues(
  client: pg.ClientBase,
  table: CatalogTable,
  column: string,
): Promise<boolean> {
  const { rows } = await client.query<{ value: string }>(
    `select ${ident(column).text}::pg_catalog.text as value from ${qualified(table).text} limit ${maxEnumRows + 1}`,
  );
  const fits = rows.every(({ value }) => isEnumValue(value));
  return rows.length > 0 && rows.length <= maxEnumRows && fits;
}
