import { comparisonOperators } from '../../../expressions/operators.ts';
import type { Plain, PlainMap } from '../imported.ts';
import { type Cursor, field, items, type Member, members } from '../input/cursor.ts';
import { readTableName, tableKey, tableLabel, tableNode } from '../table-name.ts';
import type { TrackedTable } from '../track-tables.ts';
import { isEscaped, type Refusals, translateValue } from '../values.ts';
import { connective, isCast, isOperator, operator } from './operators.ts';

/** The context in which a boolean expression is translated. */
export interface FilterScope extends Refusals {
  /** All imported tables. */
  readonly tables: ReadonlyMap<string, TrackedTable>;
}

type Entry = readonly [string, Plain];

/**
 * Translates a boolean expression of a permission about rows of `table`. The table is undefined when it is unknown,
 * e.g. because a foreign key leads to it and the import has no database. Then only the form of the values distinguishes
 * columns from relationships.
 */
export function translateFilter(
  cursor: Cursor,
  table: TrackedTable | undefined,
  scope: FilterScope,
): PlainMap {
  if (cursor.node.kind !== 'map') {
    scope.refuse(cursor, 'a boolean expression must be a map');
    return new Map();
  }
  const entries = members(cursor).flatMap((member) => translateMember(member, table, scope));
  const distinct = new Map(entries);
  if (distinct.size === entries.length) return distinct;
  // Two spellings of one key, such as $or and _or, would collide in one map. Both conditions must hold, so `_and`
  // combines them.
  return new Map([['_and', entries.map((entry) => new Map([entry]))]]);
}

function translateMember(
  { key, value }: Member,
  table: TrackedTable | undefined,
  scope: FilterScope,
): readonly Entry[] {
  switch (connective(key)) {
    case '_and':
      return [['_and', translateList(value, table, scope)]];
    case '_or':
      return [['_or', translateList(value, table, scope)]];
    case '_not':
      return [['_not', translateFilter(value, table, scope)]];
    case '_exists':
      return [['_exists', translateExists(value, scope)]];
    default:
      return translateField({ key, value }, table, scope);
  }
}

function translateList(
  value: Cursor,
  table: TrackedTable | undefined,
  scope: FilterScope,
): readonly Plain[] {
  if (value.node.kind === 'list')
    return items(value).map((item) => translateFilter(item, table, scope));
  scope.refuse(value, 'a list of boolean expressions is expected');
  return [];
}

function translateExists(value: Cursor, scope: FilterScope): Plain {
  const named = value.node.kind === 'map' ? field(value, '_table') : undefined;
  const where = named && field(value, '_where');
  if (!named || !where || members(value).length !== 2) {
    scope.refuse(value, '_exists must hold _table and _where');
    return null;
  }
  const name = readTableName(named);
  const table = scope.tables.get(tableKey(name));
  if (!table) scope.refuse(named, `the table ${tableLabel(name)} is not imported`);
  return new Map<string, Plain>([
    ['_table', tableNode(name)],
    ['_where', translateFilter(where, table, scope)],
  ]);
}

function translateField(
  { key, value }: Member,
  table: TrackedTable | undefined,
  scope: FilterScope,
): readonly Entry[] {
  if (key === '_filter' || key.startsWith('$')) {
    scope.refuse(value, `"${key}" cannot be a column in a rule`);
    return [];
  }
  const lost = table?.lost.get(key);
  if (lost !== undefined) {
    scope.refuse(value, `the rule goes through ${lost}, which does not come over`);
    return [];
  }
  const relationship = table?.relationships.get(key);
  if (relationship || (!table && looksLikeRelationship(value))) {
    const target = scope.tables.get(relationship?.target ?? '');
    return [[key, translateFilter(value, target, scope)]];
  }
  if (table?.computed.has(key) && looksLikeRelationship(value))
    return [[key, translateFilter(value, undefined, scope)]];
  return translateComparisons(key, value, scope);
}

/** Guesses whether a field of an unknown table is a relationship: its value is then a map without any operator. */
function looksLikeRelationship(value: Cursor): boolean {
  return value.node.kind === 'map' && !members(value).some(({ key }) => isOperator(key));
}

/** Translates `column: { operator: value, … }`, or `column: value` for equality. */
function translateComparisons(column: string, value: Cursor, scope: FilterScope): readonly Entry[] {
  if (value.node.kind !== 'map') return [[column, new Map([equality('_eq', value, scope)])]];
  const comparisons = members(value).flatMap((member) => translateComparison(member, scope));
  const distinct = new Map(comparisons);
  return distinct.size === comparisons.length
    ? [[column, distinct]]
    : comparisons.map((one) => [column, new Map([one])]);
}

function translateComparison({ key, value }: Member, scope: FilterScope): readonly Entry[] {
  const text = isCast(key) ? textCast(value) : undefined;
  if (text) {
    const compared = members(text).flatMap((member) => translateComparison(member, scope));
    return [['_cast', new Map([['String', new Map(compared)]])]];
  }
  const name = operator(key);
  if (name === undefined) {
    const what = isOperator(key) ? 'does not exist here' : 'is not known';
    scope.refuse(value, `the operator ${key} ${what}`, 'say it by other operators');
    return [];
  }
  if (name === '_is_null') return [isNull(value, scope)];
  const { operand, group } = comparisonOperators.get(name) ?? {};
  if (operand === 'column') return [[name, columnPath(value, scope)]];
  if (operand === 'list' && group === 'equality') return [membership(name, value, scope)];
  return [equality(name, value, scope)];
}

/** Returns the comparison inside `_cast: { String: {…} }`; undefined for other casts, which only PostGIS uses. */
function textCast(value: Cursor): Cursor | undefined {
  const text = value.node.kind === 'map' ? field(value, 'String') : undefined;
  return text?.node.kind === 'map' && members(value).length === 1 ? text : undefined;
}

function equality(name: string, value: Cursor, scope: FilterScope): Entry {
  const { node } = value;
  if (node.kind !== 'scalar' || node.value !== null) return [name, translateValue(value, scope)];
  // In rules, Hasura's `_eq` with null is true when the column is null.
  if (name === '_eq') return ['_is_null', true];
  scope.refuse(value, `${name} compares with null`, 'use _is_null');
  return [name, null];
}

function isNull(value: Cursor, scope: FilterScope): Entry {
  const { node } = value;
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return ['_is_null', node.value];
  scope.refuse(value, '_is_null takes true or false');
  return ['_is_null', true];
}

function membership(name: string, value: Cursor, scope: FilterScope): Entry {
  const translated = translateValue(value, scope);
  const { node } = value;
  const isVariable = typeof translated === 'string' && node.kind === 'scalar';
  const values = isEscaped(translated) ? translated.get('_literal') : translated;
  const listed = Array.isArray(values) && !values.includes(null);
  if (!listed && !(isVariable && translated.startsWith(scope.headerPrefix)))
    scope.refuse(value, `${name} takes a list of values or a session variable`);
  return [name, translated];
}

/** Reads a column of the same row, or `["$", column]` for a column of the rule's own table. */
function columnPath(value: Cursor, scope: FilterScope): Plain {
  const path = value.node.kind === 'list' ? items(value) : [value];
  const names = path.map(({ node }) => (node.kind === 'scalar' ? node.value : undefined));
  const [first, second] = names;
  if (names.length === 1 && typeof first === 'string') return first;
  if (names.length === 2 && first === '$' && typeof second === 'string') return [first, second];
  scope.refuse(value, 'columns are compared with columns of the same row or of the table itself');
  return null;
}
