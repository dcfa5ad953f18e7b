import { variablesOf } from '../../../expressions/dependencies.ts';
import { formatArray } from '../../../expressions/literals.ts';
import type { BoolExp, Operand } from '../../../types/expressions.ts';
import type { TableKey, VariableName } from '../../../types/names.ts';
import type { Relationship } from '../../../types/tables.ts';
import { outcomeOf, relatedRows } from '../../evaluate/evaluate-rule.ts';
import type { DraftWorld } from './draft-world.ts';
import type { DraftRow } from './found.ts';
import type { Random } from './random.ts';

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

interface Place {
  readonly table: TableKey;
  readonly row: DraftRow;
  readonly root: { readonly table: TableKey; readonly row: DraftRow };
}

/**
 * Changes a world at random towards one in which an expression is true, or is not true. It may fail: parts of the
 * expression can undo what others need.
 */
export class Steering {
  /** Variables that were removed on purpose. */
  readonly removed = new Set<VariableName>();
  readonly #world: DraftWorld;
  readonly #random: Random;

  constructor(world: DraftWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  steer(expression: BoolExp, isWanted: boolean, place: Place): void {
    switch (expression.kind) {
      case 'and':
      case 'or':
        this.#steerItems(expression, isWanted, place);
        break;
      case 'not':
        this.steer(expression.item, !isWanted, place);
        break;
      case 'guarded':
        if (!isWanted && this.#random.happens(0.3)) this.removeVariable(expression.item);
        else this.steer(expression.item, isWanted, place);
        break;
      case 'isNull':
        this.#steerNull(expression, isWanted, place);
        break;
      case 'compare':
        this.#steerComparison(expression, isWanted, place);
        break;
      case 'related':
      case 'exists':
        this.#steerRows(expression, isWanted, place);
        break;
      case 'computedRows':
        break;
    }
  }

  removeVariable(expression: BoolExp): void {
    const use = this.#random.pick(variablesOf([expression]));
    if (!use) return;
    this.removed.add(use.variable);
    delete this.#world.variables[use.variable];
  }

  #steerItems(
    { kind, items }: Extract<BoolExp, { kind: 'and' | 'or' }>,
    isWanted: boolean,
    place: Place,
  ): void {
    if ((kind === 'and') === isWanted) {
      for (const item of items) this.steer(item, isWanted, place);
      return;
    }
    const one = this.#random.pick(items);
    if (one) this.steer(one, isWanted, place);
  }

  #steerNull(
    { column, negated }: Extract<BoolExp, { kind: 'isNull' }>,
    isWanted: boolean,
    { table, row }: Place,
  ): void {
    if ('field' in column) return;
    if (negated !== isWanted) this.#world.set(table, row, column.column, null);
    else row[column.column] ??= this.#world.valueOf(column.type);
  }

  #steerComparison(comparison: Comparison, isWanted: boolean, place: Place): void {
    const { column, operand } = comparison;
    if ('field' in column) return;
    const fits = () =>
      (outcomeOf(
        comparison,
        { ...place, root: place.root.row, rootTable: place.root.table },
        this.#world,
      ) ===
        true) ===
      isWanted;
    this.#prepare(operand, place);
    if (fits() && this.#random.happens(0.8)) return;
    if (this.#random.happens(0.4) && this.#setVariable(operand, place.row[column.column])) {
      if (fits()) return;
    }
    const candidates = [...this.#targets(operand, place), ...this.#valuesOf(column.type)];
    const isNullFirst = !isWanted && this.#random.happens(0.3);
    const shuffled = this.#random.shuffled(candidates);
    for (const text of isNullFirst ? [null, ...shuffled] : [...shuffled, null]) {
      this.#world.set(place.table, place.row, column.column, text);
      if (fits()) return;
    }
  }

  #valuesOf(type: Comparison['column']['type']): readonly string[] {
    return Array.from({ length: 12 }, () => this.#world.valueOf(type)).filter(
      (text) => text !== null,
    );
  }

  /** Gives the right-hand side a value, so that the left-hand side can be compared with it. */
  #prepare(operand: Operand, place: Place): void {
    if (operand.kind === 'variable') this.#giveValue(operand);
    if (operand.kind === 'array') for (const item of operand.items) this.#prepare(item, place);
    if (operand.kind !== 'column') return;
    const { reference } = operand;
    const { row } = reference.scope === 'root' ? place.root : place;
    row[reference.column] ??= this.#world.valueOf(reference.type);
  }

  #giveValue({ name, type }: Extract<Operand, { kind: 'variable' }>): void {
    if (this.removed.has(name)) return;
    const text = this.#world.variables[name] ?? this.#world.valueOf(type);
    if (text) this.#world.variables[name] = text;
  }

  #setVariable(operand: Operand, text: string | null | undefined): boolean {
    if (operand.kind !== 'variable' || !text || this.removed.has(operand.name)) return false;
    this.#world.variables[operand.name] = operand.type.element ? formatArray([text]) : text;
    return true;
  }

  /** Returns the values of an operand, which are the values to try first. */
  #targets(operand: Operand, place: Place): readonly string[] {
    switch (operand.kind) {
      case 'literal':
        return [operand.text];
      case 'variable':
        return [this.#world.variables[operand.name] ?? []].flat();
      case 'now':
        return [this.#world.now];
      case 'array':
        return operand.items.flatMap((item) => this.#targets(item, place));
      case 'column': {
        const { scope, column } = operand.reference;
        return [(scope === 'root' ? place.root : place).row[column] ?? []].flat();
      }
    }
  }

  #steerRows(
    expression: Extract<BoolExp, { kind: 'related' | 'exists' }>,
    isWanted: boolean,
    place: Place,
  ): void {
    const table = expression.kind === 'exists' ? expression.table : expression.relationship.table;
    const known =
      expression.kind === 'exists'
        ? this.#world.rows.get(table)
        : relatedRows(expression.relationship, place, this.#world);
    const rows = (known ?? []) as readonly DraftRow[];
    if (!isWanted) {
      for (const row of rows) this.steer(expression.item, false, { ...place, table, row });
      return;
    }
    const old = this.#random.happens(0.6) ? this.#random.pick(rows) : undefined;
    const row = old ?? this.#world.addRow(table);
    if (!old && expression.kind === 'related') this.#link(expression.relationship, place, row);
    this.steer(expression.item, true, { ...place, table, row });
  }

  #link({ columns }: Relationship, { table, row }: Place, remote: DraftRow): void {
    for (const pair of columns) {
      const type = this.#world.typeOf(table, pair.local);
      row[pair.local] ??= type ? this.#world.valueOf(type) : null;
      remote[pair.remote] = row[pair.local] ?? null;
    }
  }

  /** Adds the rows to which relationships certainly lead. */
  addCertainRows(certain: readonly { table: TableKey; relationship: Relationship }[]): void {
    // A chain of relationships in rules is short; a longer one is left incomplete and so not consistent.
    for (let round = 0; round < 4; round += 1)
      for (const { table, relationship } of certain)
        for (const row of this.#world.rows.get(table) ?? []) {
          if (relatedRows(relationship, { table, row }, this.#world)?.length !== 0) continue;
          this.#link(
            relationship,
            { table, row, root: { table, row } },
            this.#world.addRow(relationship.table),
          );
        }
  }
}
