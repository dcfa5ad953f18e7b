import type { RawEntry, RawNode } from '../metadata/yaml/node.ts';
import type { BoolExp } from '../types/expressions.ts';
import type { ComputedField, TableModel } from '../types/tables.ts';
import { resolveSubject } from './resolve-comparison.ts';
import type { Place, Scope } from './scope.ts';

const always: BoolExp = { kind: 'and', items: [] };

/** `field: { _op: value }`, or an expression about the rows that it gives, which `below` resolves. */
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
    return always;
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
  if (!remote) return always;
  const item = below(entry.value, remote);
  return { kind: 'computedRows', field, table: result.table, columns, item };
}

/**
 * Whether a function can be called with the row and the session alone. What follows an argument that is left out can
 * only be told by its name.
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
