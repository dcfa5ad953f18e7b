import type { BoolExp } from '../types/expressions.ts';
import type { TableKey, TypeName } from '../types/names.ts';
import type { Relationship, RelationshipColumn } from '../types/tables.ts';
import { allOf } from './combine.ts';
import { computedIn, rootColumns } from './dependencies.ts';
import { conjuncts } from './visit.ts';

/** An `_exists` as a relationship, and the condition that remains for the related rows. */
interface Implied {
  readonly relationship: Relationship;
  readonly item: BoolExp;
}

/**
 * Returns the relationship that an `_exists` spells out, when it compares the rule's own row only by equal columns:
 * `_exists: { _table: member, _where: { organization_id: { _ceq: ["$", organization_id] } } }`. Postgres can then find
 * the rows by an index on the compared column, as for a relationship.
 */
export function impliedRelationship(table: TableKey, item: BoolExp): Implied | undefined {
  const parts = conjuncts(item).map((part) => ({ part, pair: pairOf(part) }));
  const columns = parts.flatMap(({ pair }) => pair ?? []);
  const rest = allOf(parts.flatMap(({ part, pair }) => (pair ? [] : [part])));
  if (columns.length === 0 || rootColumns(rest).size > 0) return undefined;
  // The function of a computed field would also be called for rows that do not relate to the tested row.
  if (computedIn(rest).length > 0) return undefined;
  const relationship: Relationship = {
    ...{ name: table, kind: 'array', table, columns, insertFirst: 'local', isCertain: false },
  };
  return { relationship, item: rest };
}

/** Returns the pair of columns of a comparison like `remote = local`, with one type on both sides. */
function pairOf(part: BoolExp): RelationshipColumn | undefined {
  if (part.kind !== 'compare' || part.operand.kind !== 'column') return undefined;
  const { column, castTo, operator, quantifier, orNull, operand } = part;
  if ('field' in column || castTo || quantifier || orNull || operator.symbol !== '=')
    return undefined;
  const other = operand.reference;
  if (column.scope === other.scope || !isSameType(column.type, other.type)) return undefined;
  const [local, remote] = column.scope === 'root' ? [column, other] : [other, column];
  return { local: local.column, remote: remote.column, equals: operator };
}

function isSameType(a: TypeName, b: TypeName): boolean {
  return a.schema === b.schema && a.name === b.name;
}
