import { variablesOf } from '../../expressions/dependencies.ts';
import { describeCondition } from '../../expressions/describe.ts';
import {
  called,
  compare,
  type Frame,
  type PrintScope,
  subject,
} from '../../expressions/print/print-comparison.ts';
import { joined, tableOf } from '../../expressions/print/print-expression.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { Relationship, TableModel } from '../../types/tables.ts';

/** A condition of a rule, with SQL that evaluates it on one row. */
export interface Condition {
  /** The condition in words. */
  readonly words: string;
  readonly sql: SqlText;
  /** The columns that the condition compares, with SQL of their values. Only for single comparisons. */
  readonly values: readonly { readonly name: string; readonly sql: SqlText }[];
  /** Session variables without which the condition is not met. Only for rules and combined alternatives. */
  readonly variables: readonly string[];
  readonly items: readonly Condition[];
}

/** The environment of a condition. */
export interface ConditionScope extends PrintScope {
  readonly headerPrefix: string;
}

/**
 * Returns a rule's expression as a tree of conditions about the row `row`. The SQL reads all tables directly, so it must
 * run as a login to which row security does not apply.
 */
export function conditionTree(
  expression: BoolExp,
  table: TableModel,
  row: SqlText,
  scope: ConditionScope,
): Condition {
  const frame: Frame = { table, row, root: row, depth: 0, used: new Set() };
  const tree = treeOf(expression, { frame, scope, inRow: (text) => text, inValue: (text) => text });
  const isList = expression.kind === 'and' || expression.kind === 'or';
  const outer = isList ? expression.items.filter(({ kind }) => kind !== 'guarded') : [expression];
  return { ...tree, variables: namesIn(outer) };
}

/** The place of a part: related rows are reached through subselects. */
interface Place {
  readonly frame: Frame;
  readonly scope: ConditionScope;
  /** Puts a condition on the current row into the subselect that leads to the row. */
  readonly inRow: (condition: SqlText) => SqlText;
  /** The same for a value of the row. Undefined: there may be several rows. */
  readonly inValue: ((value: SqlText) => SqlText) | undefined;
}

function treeOf(part: BoolExp, place: Place): Condition {
  const { frame, scope, inRow } = place;
  const items = itemsOf(part, place);
  return {
    words: describeCondition(part, scope.headerPrefix),
    sql: inRow(print(part, frame, scope)),
    values: valuesOf(part, place),
    variables: part.kind === 'guarded' ? namesIn([part.item]) : [],
    items,
  };
}

function namesIn(parts: readonly BoolExp[]): readonly string[] {
  return [...new Set(variablesOf(parts).map(({ variable }) => variable))];
}

function itemsOf(part: BoolExp, place: Place): readonly Condition[] {
  switch (part.kind) {
    case 'and':
    case 'or':
      return part.items.map((item) => treeOf(item, place));
    case 'not':
    case 'guarded':
      return [treeOf(part.item, place)];
    case 'related': {
      const inner = innerFrame(part.relationship.table, place.frame, place.scope);
      const from = fromRelated(part.relationship, inner, place.frame);
      return [treeOf(part.item, throughRow(place, inner, from, part.relationship.kind))];
    }
    case 'exists': {
      const inner = innerFrame(part.table, place.frame, place.scope);
      const from = sql`${qualified(inner.table)} as ${inner.row} where true`;
      return [treeOf(part.item, throughRow(place, inner, from, 'array'))];
    }
    case 'compare':
    case 'isNull':
    case 'computedRows':
      return [];
  }
}

/** @param from the rows that the subselect reads, ending with a condition */
function throughRow(
  { scope, inRow, inValue }: Place,
  frame: Frame,
  from: SqlText,
  kind: Relationship['kind'],
): Place {
  return {
    ...{ frame, scope },
    inRow: (condition) => inRow(sql`(exists (select from ${from} and (${condition})))`),
    inValue:
      inValue && kind === 'object'
        ? (value) => inValue(sql`(select ${value} from ${from} limit 1)`)
        : undefined,
  };
}

function valuesOf(part: BoolExp, { frame, scope, inValue }: Place): Condition['values'] {
  if (!inValue || (part.kind !== 'compare' && part.kind !== 'isNull')) return [];
  const { column } = part;
  const name = 'field' in column ? column.field.name : column.column;
  const value = inValue(sql`(${subject(column, frame, scope)})::pg_catalog.text`);
  if (part.kind !== 'compare' || part.operand.kind !== 'column') return [{ name, sql: value }];
  const other = part.operand.reference;
  const text = sql`(${subject(other, frame, scope)})::pg_catalog.text`;
  return [
    { name, sql: value },
    { name: other.column, sql: inValue(text) },
  ];
}

function print(part: BoolExp, frame: Frame, scope: PrintScope): SqlText {
  switch (part.kind) {
    case 'and':
      return part.items.length === 0 ? sql`true` : list(part.items, ' and ', frame, scope);
    case 'or':
      return part.items.length === 0 ? sql`false` : list(part.items, ' or ', frame, scope);
    case 'not':
      return sql`(not ${print(part.item, frame, scope)})`;
    case 'guarded':
      return print(part.item, frame, scope);
    case 'isNull':
      return sql`(${subject(part.column, frame, scope)} is ${part.negated ? sql`not null` : sql`null`})`;
    case 'compare':
      return compare(part, frame, scope);
    case 'related': {
      const inner = innerFrame(part.relationship.table, frame, scope);
      const from = fromRelated(part.relationship, inner, frame);
      return sql`(exists (select from ${from} and ${print(part.item, inner, scope)}))`;
    }
    case 'exists': {
      const inner = innerFrame(part.table, frame, scope);
      return sql`(exists (select from ${qualified(inner.table)} as ${inner.row} where ${print(part.item, inner, scope)}))`;
    }
    case 'computedRows': {
      const inner = innerFrame(part.table, frame, scope);
      const rows = called(part.field, frame, scope);
      return sql`(exists (select from ${rows} as ${inner.row} where ${print(part.item, inner, scope)}))`;
    }
  }
}

function list(
  items: readonly BoolExp[],
  word: ' and ' | ' or ',
  frame: Frame,
  scope: PrintScope,
): SqlText {
  return sql`(${join(
    items.map((item) => print(item, frame, scope)),
    word,
  )})`;
}

function innerFrame(key: string, frame: Frame, scope: PrintScope): Frame {
  const table = tableOf(key, scope);
  const depth = frame.depth + 1;
  return { table, row: ident(`explained ${depth}`), root: frame.root, depth, used: frame.used };
}

function fromRelated({ columns }: Relationship, inner: Frame, outer: Frame): SqlText {
  const equal = columns.map((pair) =>
    joined(outer.row, pair, sql`${inner.row}.${ident(pair.remote)}`),
  );
  return sql`${qualified(inner.table)} as ${inner.row} where ${join(equal, ' and ')}`;
}
