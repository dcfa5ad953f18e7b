import { subjectOf } from '../expressions/dependencies.ts';
import type { BoolExp, ColumnReference, ComputedReference, Operand } from '../types/expressions.ts';
import type { Model } from '../types/model.ts';
import type { OperatorName, TableKey, TypeName } from '../types/names.ts';
import type { Relationship } from '../types/tables.ts';

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

/**
 * Returns a short text of conditions on rows of one table. Comparisons of conditions with the same text have the same
 * result, also for different tables: the text holds the facts that a proof or a search relies on, and numbers instead of
 * the names of tables. It is made much faster than JSON of the whole conditions.
 */
export function conditionKey(
  conditions: readonly BoolExp[],
  table: TableKey,
  model: Model,
): string {
  const walk = new Walk(table);
  const trees = conditions.map((one) => walk.treeOf(one));
  return JSON.stringify([trees, walk.facts(model)]);
}

/** Returns a short text of one condition. Conditions on rows of one table with the same text mean the same. */
export function conditionText(condition: BoolExp, table: TableKey): string {
  return JSON.stringify(new Walk(table).treeOf(condition));
}

interface Mentioned {
  readonly key: TableKey;
  readonly columns: Set<string>;
}

class Walk {
  readonly #tables: Mentioned[] = [];

  constructor(table: TableKey) {
    this.#numberOf(table);
  }

  treeOf(condition: BoolExp, at = 0): unknown {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return [condition.kind, ...condition.items.map((item) => this.treeOf(item, at))];
      case 'not':
      case 'guarded':
        return [condition.kind, this.treeOf(condition.item, at)];
      case 'isNull':
        return [condition.negated ? 'filled' : 'null', this.#column(condition.column, at)];
      case 'compare':
        return this.#comparison(condition, at);
      case 'related':
        return this.#related(condition.relationship, condition.item, at);
      // Words about the following conditions name the table, so its name counts.
      case 'exists': {
        const { table, item } = condition;
        return ['exists', table, this.treeOf(item, this.#numberOf(table))];
      }
      case 'computedRows': {
        const { table, item, field } = condition;
        const inner = this.treeOf(item, this.#numberOf(table));
        return ['computed', this.#tables[at]?.key, field.name, inner];
      }
    }
  }

  /** Returns what is known about the tables and columns that the conditions read. */
  facts({ tables }: Model): unknown {
    return this.#tables.map(({ key, columns }) => {
      const table = tables.get(key);
      const cells = [...columns].map((name) => {
        const column = table?.columns.get(name);
        const { notNull, nondeterministic, collation, oddCase } = column ?? {};
        return [
          name,
          column && typeText(column.type),
          notNull,
          nondeterministic,
          collation,
          oddCase,
        ];
      });
      const unique = (table?.uniqueConstraints ?? [])
        .map((one) => one.columns)
        .filter((key) => key.every((name) => columns.has(name)));
      return [table?.keepsConstraints, cells, unique];
    });
  }

  #numberOf(key: TableKey): number {
    const known = this.#tables.findIndex((one) => one.key === key);
    return known >= 0 ? known : this.#tables.push({ key, columns: new Set() }) - 1;
  }

  #related({ name, kind, table, columns, isCertain }: Relationship, item: BoolExp, at: number) {
    const remote = this.#numberOf(table);
    const pairs = columns.map((pair) => {
      this.#tables[at]?.columns.add(pair.local);
      this.#tables[remote]?.columns.add(pair.remote);
      return [pair.local, operatorText(pair.equals), pair.remote];
    });
    return ['related', name, kind, remote, isCertain, pairs, this.treeOf(item, remote)];
  }

  #comparison(
    { column, operator, quantifier, operand, castTo, pattern, orNull }: Comparison,
    at: number,
  ) {
    return [
      ...['compare', this.#column(column, at), operatorText(operator), quantifier],
      ...[this.#operand(operand, at), castTo && typeText(castTo), pattern, orNull],
    ];
  }

  #column(reference: ColumnReference | ComputedReference, at: number): unknown {
    const table = this.#tables[reference.scope === 'root' ? 0 : at];
    if ('field' in reference) return [table?.key, subjectOf(reference)];
    table?.columns.add(reference.column);
    return [reference.scope, reference.column];
  }

  #operand(operand: Operand, at: number): unknown {
    switch (operand.kind) {
      case 'literal':
        return ['literal', operand.text, typeText(operand.type)];
      case 'variable':
        return ['variable', operand.name, typeText(operand.type)];
      case 'now':
        return ['now', typeText(operand.type)];
      case 'column':
        return ['column', this.#column(operand.reference, at)];
      case 'array':
        return [typeText(operand.type), ...operand.items.map((item) => this.#operand(item, at))];
    }
  }
}

/** Within one database, the name of a type or operator says everything about it. */
function typeText({ schema, name }: TypeName): string {
  return `${schema}.${name}`;
}

function operatorText({ schema, symbol }: OperatorName): string {
  return `${schema}.${symbol}`;
}
