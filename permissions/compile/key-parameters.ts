import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogType } from '../catalog/types.ts';
import { typeSql } from '../expressions/print/print-operand.ts';
import { operatorSymbol } from '../text/operator-symbols.ts';
import { ident, qualified, type SqlText, sql } from '../text/sql-text.ts';
import type { TableModel } from '../types/tables.ts';

/** A column of a key as a parameter of a function of ours. */
export interface KeyParameter {
  readonly name: SqlText;
  readonly type: SqlText;
  /** A condition: the row `r` has the given value. */
  readonly equal: SqlText;
  /** Schemas of the operators and types in `equal`. */
  readonly schemas: readonly string[];
}

interface Key {
  readonly table: TableModel;
  readonly catalog: Catalog;
  readonly columns: readonly string[];
  /** Name of a parameter by its place, from 0 on. */
  readonly nameOf?: (index: number) => string;
  /** The expression for a parameter in the body, by its name. */
  readonly givenAs: (name: string) => SqlText;
}

/** A key as parameters. A domain becomes its base type, whose values Postgres casts by itself. */
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

/** The default name of a parameter. */
export function keyParameterName(index: number): string {
  return `k${index + 1}`;
}

/** Names a parameter by its function too, so that no column of its tables can be meant. */
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
