import type { ColumnReference, ComputedReference } from '../../../types/expressions.ts';
import type { Model } from '../../../types/model.ts';
import type { TableKey } from '../../../types/names.ts';
import type { ComputedField } from '../../../types/tables.ts';
import type { Knowledge } from './knowledge.ts';
import type { Collation } from './terms.ts';

/** The inputs of translating that stay the same throughout a rule. */
export interface Translation {
  readonly tables: Model['tables'];
  readonly knowledge: Knowledge;
}

/** A row, by the name that facts about it carry, and its table. */
export interface NamedRow {
  readonly name: string;
  readonly table: TableKey;
}

/** The row that an expression tests, and the row of the rule's own table. */
export interface Frame {
  readonly row: NamedRow;
  readonly root: NamedRow;
}

/** Returns the columns, or the computed value, whose null makes a comparison unknown. */
export function subjectsOf(
  reference: ColumnReference | ComputedReference,
  frame: Frame,
  { knowledge }: Translation,
): readonly string[] {
  const row = frame[reference.scope];
  if ('field' in reference) return [callOf(reference.field, row)];
  const { column } = reference;
  return knowledge.mayBeNull(row.table, column) ? [`${row.name}.${column}`] : [];
}

/** Names a column's value, or the value of a computed field. */
export function referenceKey(reference: ColumnReference | ComputedReference, frame: Frame): string {
  const row = frame[reference.scope];
  return 'field' in reference ? callOf(reference.field, row) : `${row.name}.${reference.column}`;
}

/** Returns the collation in which a value is compared. A computed value of a domain may have any. */
export function collationOf(
  reference: ColumnReference | ComputedReference,
  frame: Frame,
  scope: Translation,
): Collation {
  const row = frame[reference.scope];
  if ('field' in reference) {
    const { schema, name } = reference.type;
    const isDefault = schema === 'pg_catalog' && name !== 'name';
    return {
      name: isDefault ? undefined : callOf(reference.field, row),
      findsTextsEqual: false,
    };
  }
  return columnCollation(row.table, reference.column, scope);
}

export function columnCollation(
  table: TableKey,
  column: string,
  { knowledge }: Translation,
): Collation {
  return {
    name: knowledge.collationOf(table, column),
    findsTextsEqual: knowledge.findsTextsEqual(table, column),
  };
}

/** Names the call of a function for a row. The function returns the same for the same row within one comparison. */
export function callOf(
  { function: called, arguments: given }: ComputedField,
  row: NamedRow,
): string {
  const types = given.map(({ kind, type }) => [kind, type.schema, type.name]);
  return `${JSON.stringify([called.schema, called.name, types])}(${row.name})`;
}
