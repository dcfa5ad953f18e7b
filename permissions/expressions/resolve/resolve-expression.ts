import type { Position } from '../../diagnostics.ts';
import type { RawEntry, RawNode } from '../../metadata/yaml/node.ts';
import { nearest } from '../../text/nearest.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { ComputedField, TableModel } from '../../types/tables.ts';
import { allOf, everyRow } from '../combine.ts';
import { resolveComparisons, resolveSubject } from './resolve-comparison.ts';
import { findTable, type Place, type Scope } from './scope.ts';

const maxDepth = 32;

/**
 * Resolves a boolean expression of a rule about `table`. Mistakes are added to the report; the result must not be used
 * if any were added.
 */
export function resolveRule(node: RawNode, table: TableModel, scope: Scope): BoolExp {
  return resolve(node, { table, root: table, depth: 0, unfolding: [] }, scope);
}

function resolve(node: RawNode, place: Place, scope: Scope): BoolExp {
  if (place.depth > maxDepth) {
    scope.report.error(
      'RG_TOO_DEEP',
      node.position,
      `an expression may be nested ${maxDepth} levels deep`,
    );
    return everyRow;
  }
  if (node.kind !== 'map') {
    scope.report.error(
      'RG_SHAPE',
      node.position,
      'a boolean expression is a mapping',
      'write { column: { _eq: value } }, or {} for all rows',
    );
    return everyRow;
  }
  return allOf(node.entries.map((entry) => resolveEntry(entry, place, scope)));
}

function resolveEntry(entry: RawEntry, place: Place, scope: Scope): BoolExp {
  const below = { ...place, depth: place.depth + 1 };
  switch (entry.key) {
    case '_and':
      return { kind: 'and', items: resolveList(entry, below, scope) };
    case '_or':
      return { kind: 'or', items: resolveList(entry, below, scope) };
    case '_not':
      return { kind: 'not', item: resolve(entry.value, below, scope) };
    case '_exists':
      return resolveExists(entry, below, scope);
    case '_filter':
      return resolveNamed(entry.value, below, scope);
    default:
      return resolveMember(entry, below, scope);
  }
}

function resolveList(entry: RawEntry, place: Place, scope: Scope): readonly BoolExp[] {
  if (entry.value.kind === 'list') {
    return entry.value.items.map((item) => resolve(item, place, scope));
  }
  scope.report.error('RG_SHAPE', entry.value.position, `${entry.key} takes a list of expressions`);
  return [];
}

function resolveMember(entry: RawEntry, place: Place, scope: Scope): BoolExp {
  const { table } = place;
  const relationship = table.relationships.get(entry.key);
  const remote = relationship && scope.tables.get(relationship.table);
  if (relationship && remote) {
    return {
      kind: 'related',
      relationship,
      item: resolve(entry.value, { ...place, table: remote }, scope),
    };
  }
  if (table.columns.has(entry.key)) return resolveComparisons(entry, place, scope);
  const field = table.computedFields.get(entry.key);
  if (field) {
    return resolveComputed(entry, field, place, scope, (node, remote) =>
      resolve(node, { ...place, table: remote }, scope),
    );
  }
  reportUnknownMember(entry, table, scope);
  return everyRow;
}

function reportUnknownMember(entry: RawEntry, table: TableModel, scope: Scope): void {
  const known = [
    ...table.columns.keys(),
    ...table.relationships.keys(),
    ...table.computedFields.keys(),
  ];
  const near = nearest(entry.key, [...known, '_and', '_or', '_not', '_exists', '_filter']);
  const what = entry.key.startsWith('_') ? 'operator or column' : 'column or relationship';
  scope.report.error(
    'RG_UNKNOWN_COLUMN',
    entry.keyPosition,
    `${what} "${entry.key}" does not exist on ${table.schema}.${table.name}`,
    near && `did you mean "${near}"?`,
  );
}

function resolveExists(entry: RawEntry, place: Place, scope: Scope): BoolExp {
  const { value } = entry;
  const part = (key: string) =>
    value.kind === 'map' ? value.entries.find((one) => one.key === key)?.value : undefined;
  const tableNode = part('_table');
  const where = part('_where');
  if (value.kind !== 'map' || !tableNode || !where || value.entries.length !== 2) {
    scope.report.error(
      'RG_SHAPE',
      value.position,
      '_exists takes { _table: name, _where: expression }',
    );
    return everyRow;
  }
  const table = findTable(tableNode, scope);
  if (!table) return everyRow;
  return { kind: 'exists', table: table.key, item: resolve(where, { ...place, table }, scope) };
}

function resolveNamed(node: RawNode, place: Place, scope: Scope): BoolExp {
  const name = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
  const filter = name === undefined ? undefined : scope.filters.get(name);
  if (name === undefined || !filter) {
    reportUnknownFilter(name, node.position, scope);
    return everyRow;
  }
  if (place.unfolding.includes(name)) {
    const circle = [...place.unfolding, name].join(' → ');
    scope.report.error('RG_FILTER_CYCLE', node.position, `the filter uses itself: ${circle}`);
    return everyRow;
  }
  return resolve(filter, { ...place, unfolding: [...place.unfolding, name] }, scope);
}

function reportUnknownFilter(name: string | undefined, position: Position, scope: Scope): void {
  const near = name === undefined ? undefined : nearest(name, [...scope.filters.keys()]);
  scope.report.error(
    'RG_UNKNOWN_FILTER',
    position,
    name === undefined
      ? '_filter takes the name of a filter'
      : `filters.yaml has no filter "${name}"`,
    near && `did you mean "${near}"?`,
  );
}

/**
 * Resolves a condition on a computed field: a comparison `field: { _op: value }`, or, for a field that returns rows, a
 * condition on these rows, which `below` resolves.
 */
export function resolveComputed(
  entry: RawEntry,
  field: ComputedField,
  place: Place,
  scope: Scope,
  below: (node: RawNode, table: TableModel) => BoolExp,
): BoolExp {
  if (!isPlainCall(field)) {
    scope.report.error(
      'RG_COMPUTED_FIELD',
      entry.keyPosition,
      `the computed field "${field.name}" takes arguments, which a rule cannot give`,
      'let the function have defaults for them, or compute another field',
    );
    return everyRow;
  }
  const { result } = field;
  const columns = [...place.table.columns.keys()];
  if (result.kind === 'scalar') {
    const reference = { scope: 'row', field, type: result.type, columns } as const;
    return resolveSubject(entry, {
      column: reference,
      type: scope.catalog.named(result.type),
      place,
      scope,
    });
  }
  const remote = scope.tables.get(result.table);
  if (!remote) return everyRow;
  const item = below(entry.value, remote);
  return { kind: 'computedRows', field, table: result.table, columns, item };
}

/**
 * Returns whether a rule can call the function of a computed field: with the row and the session alone. Every other
 * argument must have a default, and arguments after an omitted one must have names, because they can be passed only by
 * name.
 */
export function isPlainCall(field: ComputedField): boolean {
  let isByName = false;
  for (const { kind, name, hasDefault } of field.arguments) {
    if (kind === 'client') {
      if (!hasDefault) return false;
      isByName = true;
    } else if (isByName && name === undefined) return false;
  }
  return true;
}
