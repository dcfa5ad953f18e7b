import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogType } from '../catalog/types.ts';
import { typeSql } from '../expressions/print-operand.ts';
import { operatorSymbol } from '../text/operator-symbols.ts';
import { ident, qualified, type SqlText, sql } from '../text/sql-text.ts';
import type { TableModel } from '../types/tables.ts';

/** A column of a key as a parameter of a function of ours. */
export interface KeyParameter {
  readonly name: SqlText;
  readonly type: SqlText;
  /** That the row `r` has the value which is asked for. */
  readonly equal: SqlText;
  /** Of all that `equal` names. */
  readonly schemas: readonly string[];
}

interface Key {
  readonly table: TableModel;
  readonly catalog: Catalog;
  readonly columns: readonly string[];
  /** What parameters are called, by their places from 0 on. */
  readonly nameOf?: (index: number) => string;
  /** How the body calls the value of a parameter, by its name. */
  readonly givenAs: (name: string) => SqlText;
}

/** A key as parameters: of what domains are made of, which their values turn into by themselves. */
export function keyParameters(key: Key): readonly KeyParameter[] {
  const { table, catalog, columns, nameOf = keyParameterName, givenAs } = key;
  const known = catalog.tables.get(table.key)?.columns ?? [];
  return columns.map((name, index) => {
    const column = known.find((one) => one.name === name);
    if (!column) throw new RangeError(`${table.key} has no column ${name}`);
    const type = catalog.base(catalog.type(column.type));
    const parameter = nameOf(index);
    const { equal, schemas } = equality(catalog, type, name, givenAs(parameter));
    return { name: ident(parameter), type: typeSql(catalog.typeName(type)), equal, schemas };
  });
}

/** What keyParameters calls them unless told otherwise. */
export function keyParameterName(index: number): string {
  return `k${index + 1}`;
}

/** How the body of a function calls its parameters, whatever its tables' columns are called. */
export function parameterOf(called: string): (name: string) => SqlText {
  return (name) => qualified({ schema: called, name });
}

function equality(catalog: Catalog, type: CatalogType, column: string, asked: SqlText) {
  const found = catalog.operator('=', type);
  // Where no operator is to be trusted, no row is found and none is updated.
  if (!found) return { equal: sql`false`, schemas: [] };
  const { castTo, right, operator } = found;
  const as = (one: CatalogType): SqlText => typeSql(catalog.typeName(one));
  const kept = castTo ? sql`r.${ident(column)}::${as(castTo)}` : sql`r.${ident(column)}`;
  return {
    equal: sql`(${kept} operator(${ident(operator.schema)}.${operatorSymbol('=')}) ${asked}::${as(right)})`,
    schemas: [operator.schema, right.schema, ...(castTo ? [castTo.schema] : [])],
  };
}
