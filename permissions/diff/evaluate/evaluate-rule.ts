import { variablesOf } from '../../expressions/dependencies.ts';
import { unguardedParts } from '../../expressions/visit.ts';
import type { BoolExp, ColumnReference, Operand } from '../../types/expressions.ts';
import type { Model } from '../../types/model.ts';
import type { TableKey, VariableName, VariableUse } from '../../types/names.ts';
import { compare, isAmong, isNotAmong } from './compare.ts';
import { comparedValues } from './compared-values.ts';
import { every, not, type Outcome, some } from './three-valued.ts';
import { type Cell, readValue, type ValueType, valueType } from './values.ts';

/** Cells by column, as text that Postgres reads. A column that is absent is null. */
export type TextRow = Readonly<Record<string, string | null>>;

/** All facts outside a rule that decide whether it lets a row through. */
export interface World {
  readonly tables: Model['tables'];
  readonly rows: ReadonlyMap<TableKey, readonly TextRow[]>;
  /** Session variables as text. A variable that is absent or empty is missing. */
  readonly variables: Readonly<Record<VariableName, string>>;
  /** The start time of the transaction, e.g. `2030-01-01T00:00:00Z`. */
  readonly now: string;
}

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

export interface Place {
  readonly table: TableKey;
  readonly rootTable: TableKey;
  readonly row: TextRow;
  readonly root: TextRow;
}

/**
 * Returns whether a rule's expression lets a row through, with the variable checks that the compiled rule has.
 * Undefined if that depends on a part which only Postgres can evaluate.
 */
export function ruleOutcome(
  expression: BoolExp,
  table: TableKey,
  row: TextRow,
  world: World,
): Outcome {
  const present = isSet(variablesOf(unguardedParts(expression)), world);
  return every([
    present,
    outcomeOf(expression, { table, rootTable: table, row, root: row }, world),
  ]);
}

function isSet(uses: readonly VariableUse[], { variables }: World): boolean {
  return uses.every(({ variable }) => (variables[variable] ?? '') !== '');
}

/** Evaluates an expression about a row, without the variable check of the whole rule. */
export function outcomeOf(expression: BoolExp, place: Place, world: World): Outcome {
  switch (expression.kind) {
    case 'and':
      return every(expression.items.map((item) => outcomeOf(item, place, world)));
    case 'or':
      return some(expression.items.map((item) => outcomeOf(item, place, world)));
    case 'not':
      return not(outcomeOf(expression.item, place, world));
    case 'guarded':
      return isSet(variablesOf([expression.item]), world)
        ? outcomeOf(expression.item, place, world)
        : false;
    case 'isNull': {
      const { column, negated } = expression;
      return 'field' in column ? undefined : (cellOf(column, place) === null) !== negated;
    }
    case 'compare':
      return compared(expression, place, world);
    case 'related':
      return isThere(relatedRows(expression.relationship, place, world), expression, place, world);
    case 'exists':
      return isThere(world.rows.get(expression.table) ?? [], expression, place, world);
    case 'computedRows':
      return undefined;
  }
}

type Remote = Extract<BoolExp, { kind: 'related' | 'exists' }>;

/** Returns whether at least one of the rows satisfies the condition. The result is never unknown. */
function isThere(
  rows: readonly TextRow[] | undefined,
  expression: Remote,
  { root, rootTable }: Place,
  world: World,
): Outcome {
  const table = expression.kind === 'exists' ? expression.table : expression.relationship.table;
  const outcomes = rows?.map((row) =>
    outcomeOf(expression.item, { table, rootTable, row, root }, world),
  );
  if (!outcomes) return undefined;
  if (outcomes.includes(true)) return true;
  return outcomes.includes(undefined) ? undefined : false;
}

/** Returns whether the collation of a column can find different texts equal. */
function isCollated(reference: ColumnReference, place: Place, world: World): boolean {
  return columnOf(reference, place, world)?.nondeterministic === true;
}

function columnOf({ scope, column }: ColumnReference, place: Place, { tables }: World) {
  const table = scope === 'root' ? place.rootTable : place.table;
  return tables.get(table)?.columns.get(column);
}

function isCollatedOperand(operand: Operand, place: Place, world: World): boolean {
  return operand.kind === 'column' && isCollated(operand.reference, place, world);
}

/** Returns the rows to which a relationship leads; undefined if only Postgres can compare its columns. */
export function relatedRows(
  { table, columns }: Extract<BoolExp, { kind: 'related' }>['relationship'],
  place: Pick<Place, 'table' | 'row'>,
  { tables, rows }: World,
): readonly TextRow[] | undefined {
  const outcomeFor = (row: TextRow) =>
    every(
      columns.map(({ local, remote }) => {
        const left = columnCell(tables, place.table, local, place.row);
        const right = columnCell(tables, table, remote, row);
        if (left.cell === undefined || right.cell === undefined || !left.type) return undefined;
        return compare('=', left.type, left.cell, right.cell);
      }),
    );
  const found = (rows.get(table) ?? []).map((row) => ({ row, outcome: outcomeFor(row) }));
  if (found.some(({ outcome }) => outcome === undefined)) return undefined;
  return found.flatMap(({ row, outcome }) => (outcome ? [row] : []));
}

function columnCell(tables: Model['tables'], table: TableKey, name: string, row: TextRow) {
  const column = tables.get(table)?.columns.get(name);
  const type = column && !column.nondeterministic ? valueType(column.type) : undefined;
  return { type, cell: type && readCell(row[name] ?? null, type) };
}

function cellOf({ scope, column }: ColumnReference, { row, root }: Place): string | null {
  return (scope === 'root' ? root : row)[column] ?? null;
}

function compared(comparison: Comparison, place: Place, world: World): Outcome {
  const { column, operator, operand, orNull, quantifier } = comparison;
  if ('field' in column) return undefined;
  const text = cellOf(column, place);
  if (orNull && text === null) return true;
  if (isCollated(column, place, world) || isCollatedOperand(operand, place, world))
    return undefined;
  if (operator.symbol.endsWith('*') && columnOf(column, place, world)?.oddCase) return undefined;
  const types = comparedValues(comparison);
  const left = types && readCell(text, types.left);
  if (!types || left === undefined) return undefined;
  if (quantifier) {
    const list = listOf(operand, types.right, place, world);
    if (!list || !['=', '<>'].includes(types.symbol)) return undefined;
    return quantifier === 'any'
      ? isAmong(types.left, left, list)
      : isNotAmong(types.left, left, list);
  }
  const right = operandCell(operand, types.right, place, world);
  return right === undefined ? undefined : compare(types.symbol, types.left, left, right);
}

function readCell(text: string | null, type: ValueType): Cell | undefined {
  return text === null ? null : readValue(text, type);
}

/** Returns the value of an operand; undefined if only Postgres can read it. */
function operandCell(
  operand: Operand,
  type: ValueType,
  place: Place,
  world: World,
): Cell | undefined {
  switch (operand.kind) {
    case 'literal':
      return readCell(operand.text, type);
    case 'variable':
      return readCell(world.variables[operand.name] || null, type);
    case 'now':
      return nowAs(type, world);
    case 'column':
      return readCell(cellOf(operand.reference, place), type);
    case 'array':
      return listCell(operand.items, type, place, world);
  }
}

function listCell(
  items: readonly Operand[],
  { element }: ValueType,
  place: Place,
  world: World,
): Cell | undefined {
  if (!element) return undefined;
  const cells = items.map((item) => operandCell(item, element, place, world));
  const scalars = cells.filter((cell) => cell !== undefined && !Array.isArray(cell));
  return scalars.length === cells.length ? (scalars as Cell) : undefined;
}

/** Returns the elements of an operand on the right of `= any` or `<> all`. */
function listOf(
  operand: Operand,
  element: ValueType,
  place: Place,
  world: World,
): readonly Cell[] | undefined {
  const cell = operandCell(operand, { name: 'list', element }, place, world);
  return Array.isArray(cell) ? cell : undefined;
}

/** Returns the current time as a value. Rules read dates and times in UTC. */
function nowAs({ name }: ValueType, { now }: World): Cell | undefined {
  if (name === 'timestamptz') return now;
  if (name === 'timestamp') return now.replace(/Z$/, '');
  return name === 'date' ? now.slice(0, 10) : undefined;
}
