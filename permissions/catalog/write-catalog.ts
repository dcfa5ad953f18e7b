import { catalogVersion } from './catalog-schema.ts';
import type { CatalogData, CatalogFunction, CatalogTable, CatalogType } from './types.ts';

/**
 * The first oid that Postgres gives to user-defined objects. Objects of Postgres itself have smaller oids, which are
 * the same in every database.
 */
const firstOwnOid = 16384;

/**
 * Returns the text of a catalog file: JSON with one object per line. Databases with equal contents give equal texts.
 */
export function writeCatalog(data: CatalogData): string {
  const { serverVersion, database, types, operators, coercions, tables, functions } =
    renumbered(data);
  const heads = { format: 'rowgate-catalog', version: catalogVersion, serverVersion, database };
  const lists = { types, operators, coercions, tables, functions };
  const lines = [
    ...Object.entries(heads).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`),
    ...Object.entries(lists).map(([key, items]) => `"${key}": [${joined(items)}]`),
  ];
  return `{\n${lines.join(',\n')}\n}\n`;
}

function joined(items: readonly unknown[]): string {
  return items.map((item) => `\n${JSON.stringify(item)}`).join(',');
}

/**
 * Returns the data with new oids. Oids depend on the order in which objects were created. With new oids, databases with
 * equal contents give equal files.
 */
function renumbered(data: CatalogData): CatalogData {
  const types = data.types.toSorted(byName);
  const own = types.filter((type) => type.oid >= firstOwnOid);
  const numbers = new Map(own.map((type, index) => [type.oid, firstOwnOid + index]));
  const number = (oid: number) => numbers.get(oid) ?? oid;
  return {
    ...data,
    types: types.map((type) => renumberedType(type, number)),
    operators: data.operators
      .map((one) => ({ ...one, left: number(one.left), right: number(one.right) }))
      .toSorted(bySignature),
    coercions: data.coercions.map(({ from, to }) => ({ from: number(from), to: number(to) })),
    tables: data.tables
      .toSorted(byName)
      .map((table, index) => renumberedTable(table, index, number)),
    functions: data.functions.map((one) => renumberedFunction(one, number)).toSorted(byCall),
  };
}

function renumberedType(type: CatalogType, number: (oid: number) => number): CatalogType {
  const { oid, element, array, base } = type;
  return {
    ...type,
    oid: number(oid),
    element: number(element),
    array: number(array),
    base: number(base),
  };
}

function renumberedTable(
  table: CatalogTable,
  index: number,
  number: (oid: number) => number,
): CatalogTable {
  const columns = table.columns.map((column) => ({ ...column, type: number(column.type) }));
  return { ...table, oid: firstOwnOid + index, columns };
}

function renumberedFunction(
  one: CatalogFunction,
  number: (oid: number) => number,
): CatalogFunction {
  const given = one.arguments.map((argument) => ({ ...argument, type: number(argument.type) }));
  return { ...one, result: number(one.result), arguments: given };
}

/** Compares functions by name, and functions of the same name by their arguments. */
function byCall(a: CatalogFunction, b: CatalogFunction): number {
  return byName(a, b) || compare(JSON.stringify(a.arguments), JSON.stringify(b.arguments));
}

type Named = { readonly schema: string; readonly name: string };

function byName(a: Named, b: Named): number {
  return compare(a.schema, b.schema) || compare(a.name, b.name);
}

function bySignature(a: CatalogData['operators'][number], b: typeof a): number {
  return (
    compare(a.schema, b.schema) ||
    compare(a.symbol, b.symbol) ||
    a.left - b.left ||
    a.right - b.right
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
