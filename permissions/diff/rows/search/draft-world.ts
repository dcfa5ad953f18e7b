import type { Model } from '../../../types/model.ts';
import type { TableKey, TypeName, VariableName } from '../../../types/names.ts';
import type { World } from '../../evaluate/evaluate-rule.ts';
import type { DraftRow, SearchScope } from './found.ts';
import { witnessNow } from './value-pools.ts';

/** A world under construction. Rows have only the columns that the rules mention. */
export class DraftWorld implements World {
  readonly tables: Model['tables'];
  readonly rows = new Map<TableKey, DraftRow[]>();
  readonly variables: Record<VariableName, string> = {};
  readonly now = witnessNow;
  readonly #scope: SearchScope;
  #made = 0;

  constructor(scope: SearchScope) {
    this.#scope = scope;
    this.tables = scope.tables;
  }

  addRow(table: TableKey): DraftRow {
    const { survey, knowledge, random, pools } = this.#scope;
    const row: DraftRow = {};
    this.#made += 1;
    for (const [column, type] of survey.columns.get(table) ?? []) {
      const isKey = knowledge.isUnique(table, [column]);
      const isNull = knowledge.mayBeNull(table, column) && random.happens(0.4);
      const unused = isKey ? pools.fresh(type, this.#made) : undefined;
      row[column] = isNull ? null : (unused ?? this.valueOf(type));
    }
    this.rows.set(table, [...(this.rows.get(table) ?? []), row]);
    return row;
  }

  /** Returns a random value of a type; null for a type of which no value is known. */
  valueOf(type: TypeName): string | null {
    return this.#scope.random.pick(this.#scope.pools.valuesOf(type)) ?? null;
  }

  typeOf(table: TableKey, column: string): TypeName | undefined {
    return this.#scope.survey.columns.get(table)?.get(column);
  }

  /** Sets a cell, unless the column refuses null. */
  set(table: TableKey, row: DraftRow, column: string, text: string | null): void {
    if (text !== null || this.#scope.knowledge.mayBeNull(table, column)) row[column] = text;
  }

  /** Sets all variables that are still missing, except those that were removed on purpose. */
  setVariables(except: ReadonlySet<VariableName>): void {
    for (const [name, [type]] of this.#scope.survey.variables) {
      if (this.variables[name] !== undefined || except.has(name) || !type) continue;
      const text = this.valueOf(type);
      if (text) this.variables[name] = text;
    }
  }
}
