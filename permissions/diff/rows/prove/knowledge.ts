import type { Model } from '../../../types/model.ts';
import type { TableKey } from '../../../types/names.ts';
import type { Relationship, TableModel } from '../../../types/tables.ts';
import { anyRelation, type Relations } from './formula.ts';
import { likeWithin } from './like-patterns.ts';

/**
 * The facts of the catalog and of SQL that proofs rely on. A proof is only as sound as these answers; tests replace one
 * of them by a wrong one and expect to find a false proof.
 */
export interface Knowledge {
  /** Whether a column can hold null in one of the two databases. */
  mayBeNull(table: TableKey, column: string): boolean;
  /** Whether different texts of a column can be equal, because of its collation. */
  findsTextsEqual(table: TableKey, column: string): boolean;
  /** The collation of a column; undefined for the database's default. */
  collationOf(table: TableKey, column: string): string | undefined;
  /** Whether the lower case of `I` may be another letter than `i` in a column. */
  hasOddCase(table: TableKey, column: string): boolean;
  /** Whether at most one row has the same values in these columns. */
  isUnique(table: TableKey, columns: readonly string[]): boolean;
  /** Whether every row of a table has a related row. */
  isCertain(table: TableKey, relationship: Relationship): boolean;
  /** Whether a missing session variable closes the rule or alternative that reads it. */
  readonly closesWithoutVariable: boolean;
  /** Returns the relations for which a comparison is false, given those for which it is true. */
  opposite(relations: Relations): Relations;
  /** Whether every text that matches one LIKE pattern matches the other. */
  likeWithin(inner: string, outer: string): boolean;
}

/** Uses only facts that hold in both databases, because a row that is gained or lost exists in both. */
export function makeKnowledge(models: {
  readonly before: Model;
  readonly after: Model;
}): Knowledge {
  const both = [models.before, models.after];
  const columnsOf = (table: TableKey, column: string) =>
    both.map(({ tables }) => tables.get(table)?.columns.get(column));
  return {
    mayBeNull: (table, column) =>
      !both.every(({ tables }) => isFilledIn(tables.get(table), column)),
    findsTextsEqual: (table, column) =>
      columnsOf(table, column).some((one) => one?.nondeterministic === true),
    // A column with another collation in the other version is not compared at all.
    collationOf: (table, column) => columnsOf(table, column)[0]?.collation,
    hasOddCase: (table, column) => columnsOf(table, column).some((one) => one?.oddCase === true),
    isUnique: (table, columns) => both.every((model) => isUniqueIn(model, table, columns)),
    isCertain: (table, relationship) =>
      both.every((model) => hasCertain(model, table, relationship)),
    closesWithoutVariable: true,
    opposite: (relations) => anyRelation & ~relations,
    likeWithin,
  };
}

function isFilledIn(table: TableModel | undefined, column: string): boolean {
  return table?.keepsConstraints === true && table.columns.get(column)?.notNull === true;
}

/** The primary key counts as a constraint unless it is deferrable, i.e. broken within a transaction. */
function isUniqueIn({ tables }: Model, key: TableKey, columns: readonly string[]): boolean {
  const table = tables.get(key);
  if (!table?.keepsConstraints) return false;
  const keys = table.uniqueConstraints.map((one) => one.columns);
  return keys.some((one) => one.length > 0 && one.every((column) => columns.includes(column)));
}

/** The rule may have its relationship from the other model, where it may be called otherwise. */
function hasCertain({ tables }: Model, key: TableKey, { table, columns }: Relationship): boolean {
  const pairs = pairsOf(columns);
  const local = tables.get(key);
  const relationships = local?.keepsConstraints ? local.relationships.values() : [];
  return [...relationships].some(
    (one) => one.isCertain && one.table === table && pairsOf(one.columns) === pairs,
  );
}

function pairsOf(columns: Relationship['columns']): string {
  return JSON.stringify(columns.map(({ local, remote }) => [local, remote]).sort());
}
