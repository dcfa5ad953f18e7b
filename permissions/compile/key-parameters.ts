import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogType } from '../catalog/types.ts';
import { typeSql } from '../expressions/print/print-operand.ts';
import { operatorSymbol } from '../text/operator-symbols.ts';
import { ident, qualified, type SqlText, sql } from '../text/sql-text.ts';
import type { TableModel } from '../types/tables.ts';

/** A column of a key, as a parameter of a generated function. */
export interface KeyParameter {
  readonly name: SqlText;
  readonly type: SqlText;
  /** SQL for the condition that the row `r` has the given value in the column. */
  readonly equal: SqlText;
  /** Schemas of the operators and types that `equal` names. */
  readonly schemas: readonly string[];
}

interface Key {
  readonly table: TableModel;
  readonly catalog: Catalog;
  readonly columns: readonly string[];
  /** Returns the name of the parameter at an index (from 0). */
  readonly nameOf?: (index: number) => string;
  /** Takes the name of a parameter, and returns the SQL with which the body of the function reads that parameter. */
  readonly givenAs: (name: string) => SqlText;
}

/**
 * Turns the columns of a key into parameters of a function. A domain becomes its base type, to which Postgres casts the
 * given values.
 */
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

export function keyParameterName(index: number): string {
  return `k${index + 1}`;
}

/**
 * Returns a function that prefixes a parameter with the name of its SQL function. Without the prefix, Postgres could
 * take the parameter for a column of the same name.
 */
export function parameterOf(called: string): (name: string) => SqlText {
  return (name) => qualified({ schema: called, name });
}

function equality(catalog: Catalog, type: CatalogType, column: string, given: SqlText) {
  const found = catalog.operator('=', type);
  // Without a trustworthy equality operator, the condition is never true, so that the function finds no row and changes
  // nothing.
  if (!found) return { equal: sql`false`, schemas: [] };
  const { castTo, right, operator } = found;
  const as = (one: CatalogType): SqlText => typeSql(catalog.typeName(one));
  const stored = castTo ? sql`r.${ident(column)}::${as(castTo)}` : sql`r.${ident(column)}`;
  return {
    equal: sql`(${stored} operator(${ident(operator.schema)}.${operatorSymbol('=')}) ${given}::${as(right)})`,
    schemas: [operator.schema, right.schema, ...(castTo ? [castTo.schema] : [])],
  };
}
