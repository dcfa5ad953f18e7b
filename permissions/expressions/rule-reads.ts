import type { BoolExp, Operand } from '../types/expressions.ts';
import type { TablePermissions } from '../types/model.ts';
import type { TableKey, TypeName, VariableName } from '../types/names.ts';
import { canonicalTexts } from './canonical-text.ts';
import { computedIn, variablesOf } from './dependencies.ts';
import { type KeyValues, type KnownKeys, keysOfAll, keysOfAny, unionOf } from './known-keys.ts';
import { parseArray } from './literals.ts';
import { operandsOf, partsOf } from './visit.ts';

/** The values of session variables by name. */
export type Session = ReadonlyMap<VariableName, string>;

/** The rows of a table that a rule reads. */
export interface RowsRead {
  readonly table: TableKey;
  /** The rows that count have these values. */
  readonly keys: KnownKeys<Session>;
}

/** Everything that decides which rows and values a role sees in a table. */
export interface RuleReads {
  /** The values of columns in the rows that the role sees. */
  readonly keys: KnownKeys<Session>;
  /** Rows of other tables that the rule tests. */
  readonly tables: readonly RowsRead[];
  readonly variables: readonly VariableName[];
  readonly readsTime: boolean;
  /** Whether the rule calls functions, which may read anything. */
  readonly callsFunctions: boolean;
}

/** Returns what the select rule of a role reads. The policy tests other tables without the rules on them. */
export function readsOfRule({
  select,
  joinMasks,
}: Pick<TablePermissions, 'select' | 'joinMasks'>): RuleReads {
  const masks = select ? [...select.columnMasks.values(), ...select.fieldMasks.values()] : [];
  const expressions = [...(select ? [select.filter] : []), ...masks, ...joinMasks.values()];
  const parts = expressions.flatMap((one) => partsOf(one));
  const operands = parts.flatMap((part) => (part.kind === 'compare' ? [part.operand] : []));
  return {
    keys: select ? keysOfRows(select.filter) : new Map(),
    tables: parts.flatMap(rowsReadBy),
    variables: variablesOf(expressions).map(({ variable }) => variable),
    readsTime: operands.flatMap(operandsOf).some(({ kind }) => kind === 'now'),
    callsFunctions: expressions.some((one) => computedIn(one).length > 0),
  };
}

function rowsReadBy(part: BoolExp): readonly RowsRead[] {
  if (part.kind === 'related') {
    return [{ table: part.relationship.table, keys: keysOfRows(part.item) }];
  }
  if (part.kind === 'exists') return [{ table: part.table, keys: keysOfRows(part.item) }];
  // The function may read more rows than it returns.
  return part.kind === 'computedRows' ? [{ table: part.table, keys: new Map() }] : [];
}

/** Returns the values of columns in the rows that satisfy a condition. */
function keysOfRows(condition: BoolExp): KnownKeys<Session> {
  switch (condition.kind) {
    case 'and':
      return keysOfAll(condition.items.map(keysOfRows));
    case 'or':
      return keysOfAny(condition.items.map(keysOfRows));
    case 'guarded':
      return keysOfRows(condition.item);
    case 'compare':
      return keyOfComparison(condition);
    default:
      return new Map();
  }
}

function keyOfComparison(part: Extract<BoolExp, { kind: 'compare' }>): KnownKeys<Session> {
  const { column, operator, quantifier, operand, orNull, castTo } = part;
  const isEquality = operator.schema === 'pg_catalog' && operator.symbol === '=';
  if (!isEquality || orNull || quantifier === 'all' || part.pattern) return new Map();
  if ('field' in column || column.scope !== 'row') return new Map();
  if (castTo && !(isText(castTo) && isText(column.type))) return new Map();
  return new Map([
    [column.column, quantifier === 'any' ? elementsOf(operand) : keyOfOperand(operand)],
  ]);
}

/** A cast between these types changes no text. */
function isText({ schema, name }: TypeName): boolean {
  return schema === 'pg_catalog' && (name === 'text' || name === 'varchar');
}

function keyOfOperand(operand: Operand): KeyValues<Session> {
  return (session) => {
    const text = textOf(operand, session);
    if (text === undefined || operand.kind === 'column') return undefined;
    return canonicalTexts(text, operand.type);
  };
}

function elementsOf(operand: Operand): KeyValues<Session> {
  if (operand.kind === 'array') return unionOf(operand.items.map(keyOfOperand));
  return (session) => {
    const text = textOf(operand, session);
    const element = operand.kind === 'column' ? undefined : operand.type.element;
    const elements = text === undefined ? undefined : parseArray(text);
    if (!elements || !element) return undefined;
    // A null equals nothing.
    const texts = elements.flatMap((one) => (one === null ? [] : [canonicalTexts(one, element)]));
    return texts.every((one) => one !== undefined) ? texts.flat() : undefined;
  };
}

function textOf(operand: Operand, session: Session): string | undefined {
  if (operand.kind === 'literal') return operand.text;
  return operand.kind === 'variable' ? session.get(operand.name) : undefined;
}
