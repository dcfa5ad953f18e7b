import type { CatalogType } from '../../catalog/types.ts';
import type { RawEntry, RawNode } from '../../metadata/yaml/node.ts';
import { nearest } from '../../text/nearest.ts';
import type { BoolExp, ColumnReference, Operand } from '../../types/expressions.ts';
import { allOf, everyRow } from '../combine.ts';
import { subjectOf } from '../dependencies.ts';
import { hasFixedText } from '../literals.ts';
import { type ComparisonOperator, comparisonOperators } from '../operators.ts';
import { isOrResemblesVariable } from '../session-variables.ts';
import { escapedLiteral, resolveOperand, typeLabel } from './resolve-operand.ts';
import { columnType, type Place, type Scope } from './scope.ts';

type Comparison = Extract<BoolExp, { kind: 'compare' }>;

/** The left-hand side of a comparison, and its place in the rule. */
interface Subject {
  readonly column: Comparison['column'];
  /** The type in which the value is compared. Within `_cast` it is text. */
  readonly type: CatalogType;
  readonly place: Place;
  readonly scope: Scope;
}

/** Resolves `column: { _op: value, … }`, or `column: value` for `_eq`. */
export function resolveComparisons(entry: RawEntry, place: Place, scope: Scope): BoolExp {
  const type = columnType(scope, place.table, entry.key);
  const name = scope.catalog.typeName(type);
  const column: ColumnReference = { scope: 'row', column: entry.key, type: name };
  return resolveSubject(entry, { column, type, place, scope });
}

/** Resolves comparisons of a column or of a computed field with a single value. */
export function resolveSubject(entry: RawEntry, subject: Subject): BoolExp {
  const { value } = entry;
  if (value.kind !== 'map')
    return resolveOne('_eq', { ...entry, keyPosition: value.position }, subject);
  return allOf(value.entries.map((one) => resolveOne(one.key, one, subject)));
}

function resolveOne(name: string, entry: RawEntry, subject: Subject): BoolExp {
  if (name === '_is_null') return resolveIsNull(entry.value, subject);
  if (name === '_cast') return resolveCast(entry, subject);
  const rule = comparisonOperators.get(name);
  if (!rule || !suits(rule, subject)) {
    reportOperator(name, rule, entry, subject);
    return everyRow;
  }
  return rule.operand === 'column'
    ? compareColumns(rule, entry.value, subject)
    : (compareValue(name, rule, entry, subject) ?? everyRow);
}

/**
 * Resolves `_cast: { String: {…} }`, which compares a value as text. Refuses types whose text depends on settings,
 * because a caller could then change the result.
 */
function resolveCast(entry: RawEntry, subject: Subject): BoolExp {
  const { value } = entry;
  const { type, scope } = subject;
  const [cast, ...more] = value.kind === 'map' ? value.entries : [];
  if (cast?.key !== 'String' || more.length > 0 || cast.value.kind !== 'map') {
    scope.report.error('RG_BAD_VALUE', value.position, '_cast takes { String: { … } }');
    return everyRow;
  }
  if (!hasFixedText(scope.catalog.typeName(scope.catalog.base(type)))) {
    scope.report.error(
      'RG_UNKNOWN_OPERATOR',
      entry.keyPosition,
      `operator _cast does not suit ${subjectLabel(subject)}: its text depends on settings that the caller may change`,
      'compare the value itself',
    );
    return everyRow;
  }
  const text = scope.catalog.builtin('text');
  return allOf(
    cast.value.entries.map((one) => {
      const found = resolveOne(one.key, one, { ...subject, type: text });
      return found.kind === 'compare' ? { ...found, castTo: castName(text) } : found;
    }),
  );
}

function suits(rule: ComparisonOperator, { type, scope }: Subject): boolean {
  const base = scope.catalog.base(type);
  switch (rule.group) {
    case 'jsonb':
      return base.schema === 'pg_catalog' && base.name === 'jsonb';
    case 'container':
      return base.element !== 0 || scope.catalog.operator('@>', base) !== undefined;
    case 'ltree':
      return base.schema !== 'pg_catalog' && base.name === 'ltree';
    case 'text':
      return scope.catalog.operator('~~', base) !== undefined;
    default:
      return true;
  }
}

function resolveIsNull(node: RawNode, { column, scope }: Subject): BoolExp {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') {
    return { kind: 'isNull', column, negated: !node.value };
  }
  scope.report.error('RG_BAD_VALUE', node.position, '_is_null takes true or false');
  return everyRow;
}

function compareValue(
  name: string,
  rule: ComparisonOperator,
  entry: RawEntry,
  subject: Subject,
): Comparison | undefined {
  const { type, scope } = subject;
  const { catalog } = scope;
  const right = rightType(rule, subject);
  const found = catalog.operator(rule.symbol, type, right);
  const operandType = found && (rule.quantifier ? arrayOf(found.right, scope) : found.right);
  if (!found || !operandType) {
    reportOperator(name, undefined, entry, subject);
    return undefined;
  }
  if (rule.quantifier && !listOrVariable(entry.value, scope)) {
    scope.report.error(
      'RG_BAD_VALUE',
      entry.value.position,
      `${name} takes a list or a session variable`,
    );
    return undefined;
  }
  const operand = resolveOperand(entry.value, operandType, scope);
  return operand && comparison(rule, found, operand, subject);
}

function rightType(rule: ComparisonOperator, { type, scope }: Subject): CatalogType | undefined {
  if (rule.right !== undefined) {
    const { schema } = scope.catalog.base(type);
    return scope.catalog.data.types.find((one) => one.schema === schema && one.name === rule.right);
  }
  if (rule.operand === 'text') return scope.catalog.builtin('text');
  return rule.operand === 'texts' ? scope.catalog.builtin('_text') : undefined;
}

function arrayOf(type: CatalogType, scope: Scope): CatalogType | undefined {
  return type.array === 0 ? undefined : scope.catalog.type(type.array);
}

/**
 * Returns whether a node is a list or a session variable. A misspelt variable counts as a variable, because a later
 * step reports the misspelling with a better message.
 */
function listOrVariable(node: RawNode, scope: Scope): boolean {
  const { kind } = escapedLiteral(node) ?? node;
  return (
    kind === 'list' ||
    (node.kind === 'scalar' &&
      typeof node.value === 'string' &&
      isOrResemblesVariable(node.value, scope.headerPrefix))
  );
}

function comparison(
  rule: ComparisonOperator,
  found: NonNullable<ReturnType<Scope['catalog']['operator']>>,
  operand: Operand,
  { column, place }: Subject,
): Comparison {
  const nullable = 'field' in column || place.table.columns.get(column.column)?.notNull === false;
  return {
    kind: 'compare',
    column,
    operator: found.operator,
    operand,
    orNull: rule.orNullInRules === true && nullable,
    ...(rule.quantifier && { quantifier: rule.quantifier }),
    ...(rule.pattern && { pattern: rule.pattern }),
    ...(found.castTo && { castTo: castName(found.castTo) }),
  };
}

function castName(type: CatalogType) {
  return { schema: type.schema, name: type.name };
}

/**
 * Resolves a comparison with another column: `_ceq: other` or `_ceq: [other]` for a column of the same row, `_ceq:
 * ["$", column]` for a column of the rule's own row.
 */
function compareColumns(rule: ComparisonOperator, node: RawNode, subject: Subject): BoolExp {
  const { column, type, place, scope } = subject;
  const path = columnPath(node);
  const fromRoot = path?.length === 2 && path[0] === '$';
  const name = fromRoot ? path[1] : path?.length === 1 ? path[0] : undefined;
  const table = fromRoot ? place.root : place.table;
  if (name === undefined || !table.columns.has(name)) {
    const near = name === undefined ? undefined : nearest(name, [...table.columns.keys()]);
    scope.report.error(
      'RG_UNKNOWN_COLUMN',
      node.position,
      name === undefined
        ? 'a column comparison takes a column or ["$", column]'
        : `column "${name}" does not exist on ${table.schema}.${table.name}`,
      near && `did you mean "${near}"?`,
    );
    return everyRow;
  }
  const otherType = columnType(scope, table, name);
  const found = scope.catalog.operator(rule.symbol, type, otherType);
  const reference: ColumnReference = {
    scope: fromRoot ? 'root' : 'row',
    column: name,
    type: scope.catalog.typeName(otherType),
  };
  if (found) return comparison(rule, found, { kind: 'column', reference }, subject);
  scope.report.error(
    'RG_UNKNOWN_OPERATOR',
    node.position,
    `${typeLabel(column.type)} "${subjectOf(column)}" does not compare with ${typeLabel(reference.type)} "${name}"`,
  );
  return everyRow;
}

function columnPath(node: RawNode): readonly string[] | undefined {
  if (node.kind === 'scalar') return typeof node.value === 'string' ? [node.value] : undefined;
  if (node.kind === 'map') return undefined;
  const names = node.items.map((item) => (item.kind === 'scalar' ? item.value : undefined));
  return names.every((name) => typeof name === 'string') ? names : undefined;
}

const knownOperators =
  'common operators are _eq, _neq, _gt, _gte, _lt, _lte, _in, _nin, _is_null, _like and _ilike';

function reportOperator(
  name: string,
  rule: ComparisonOperator | undefined,
  entry: RawEntry,
  subject: Subject,
): void {
  const near = rule
    ? undefined
    : nearest(name, [...comparisonOperators.keys(), '_is_null', '_cast']);
  const exists = comparisonOperators.has(name);
  subject.scope.report.error(
    'RG_UNKNOWN_OPERATOR',
    entry.keyPosition,
    exists
      ? `operator ${name} does not suit ${subjectLabel(subject)}`
      : `operator "${name}" does not exist`,
    exists ? undefined : near ? `did you mean "${near}"?` : knownOperators,
  );
}

function subjectLabel({ column }: Subject): string {
  const kind = 'field' in column ? 'computed field' : 'column';
  return `${kind} "${subjectOf(column)}" of type ${typeLabel(column.type)}`;
}
