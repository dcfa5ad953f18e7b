import { subjectOf } from '../../expressions/dependencies.ts';
import { operandsOf } from '../../expressions/visit.ts';
import type { BoolExp, Operand } from '../../types/expressions.ts';
import type { TableKey, TypeName, VariableName } from '../../types/names.ts';
import type { Relationship } from '../../types/tables.ts';
import { comparedValues } from '../evaluate/compared-values.ts';
import type { RowRule } from './row-rule.ts';

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

/** Everything that two rules mention. */
export interface Survey {
  readonly columns: ReadonlyMap<TableKey, ReadonlyMap<string, TypeName>>;
  readonly relationships: readonly {
    readonly table: TableKey;
    readonly relationship: Relationship;
  }[];
  readonly literals: readonly { readonly text: string; readonly type: TypeName }[];
  /** The types as which each variable is read. */
  readonly variables: ReadonlyMap<VariableName, readonly TypeName[]>;
  readonly comparisons: readonly { readonly table: TableKey; readonly comparison: Comparison }[];
  /** Operators and computed fields that have no model, for messages. */
  readonly unmodelled: ReadonlySet<string>;
}

/** Collects what rules mention at any depth. */
export function surveyRules(rules: readonly RowRule[], columnType: ColumnTypes): Survey {
  const walk = new Walk(columnType);
  for (const { table, expression } of rules) if (expression) walk.visit(expression, table, table);
  return walk;
}

/** Looks up the type of a column; undefined if the column does not exist. */
export type ColumnTypes = (table: TableKey, column: string) => TypeName | undefined;

class Walk implements Survey {
  readonly columns = new Map<TableKey, Map<string, TypeName>>();
  readonly relationships: { table: TableKey; relationship: Relationship }[] = [];
  readonly literals: { text: string; type: TypeName }[] = [];
  readonly variables = new Map<VariableName, TypeName[]>();
  readonly comparisons: { table: TableKey; comparison: Comparison }[] = [];
  readonly unmodelled = new Set<string>();
  readonly #columnType: ColumnTypes;

  constructor(columnType: ColumnTypes) {
    this.#columnType = columnType;
  }

  visit(expression: BoolExp, table: TableKey, root: TableKey): void {
    switch (expression.kind) {
      case 'and':
      case 'or':
        for (const item of expression.items) this.visit(item, table, root);
        break;
      case 'not':
      case 'guarded':
        this.visit(expression.item, table, root);
        break;
      case 'isNull':
        this.#addSubject(expression.column, table);
        break;
      case 'compare':
        this.#addComparison(expression, table, root);
        break;
      case 'related':
        this.#addRelated(expression, table, root);
        break;
      case 'exists':
        this.#rowsOf(expression.table);
        this.visit(expression.item, expression.table, root);
        break;
      case 'computedRows':
        this.unmodelled.add(`the computed field ${expression.field.name}`);
        this.visit(expression.item, expression.table, root);
        break;
    }
  }

  addVariable(name: VariableName, type: TypeName): void {
    const types = this.variables.get(name) ?? [];
    if (!types.some((one) => one.schema === type.schema && one.name === type.name))
      this.variables.set(name, [...types, type]);
  }

  #addRelated(
    { relationship, item }: Extract<BoolExp, { kind: 'related' }>,
    table: TableKey,
    root: TableKey,
  ): void {
    this.relationships.push({ table, relationship });
    for (const { local, remote } of relationship.columns) {
      this.#addColumn(table, local);
      this.#addColumn(relationship.table, remote);
    }
    this.visit(item, relationship.table, root);
  }

  #addComparison(comparison: Comparison, table: TableKey, root: TableKey): void {
    const { column, operand, operator } = comparison;
    this.comparisons.push({ table, comparison });
    this.#addSubject(column, table);
    if (!('field' in column) && !comparedValues(comparison))
      this.unmodelled.add(`the operator ${operator.symbol} on ${subjectOf(column)}`);
    for (const one of operandsOf(operand)) this.#addOperand(one, table, root);
  }

  #addOperand(operand: Operand, table: TableKey, root: TableKey): void {
    if (operand.kind === 'literal') this.literals.push(operand);
    if (operand.kind === 'variable') this.addVariable(operand.name, operand.type);
    if (operand.kind === 'column')
      this.#addColumn(operand.reference.scope === 'root' ? root : table, operand.reference.column);
  }

  #addSubject(column: Comparison['column'], table: TableKey): void {
    if ('field' in column) this.unmodelled.add(`the computed field ${column.field.name}`);
    else this.#addColumn(table, column.column);
  }

  #addColumn(table: TableKey, column: string): void {
    const type = this.#columnType(table, column);
    if (type) this.#rowsOf(table).set(column, type);
  }

  #rowsOf(table: TableKey): Map<string, TypeName> {
    const columns = this.columns.get(table) ?? new Map<string, TypeName>();
    this.columns.set(table, columns);
    return columns;
  }
}
