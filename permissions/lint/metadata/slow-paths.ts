import type { Catalog } from '../../catalog/catalog.ts';
import { conjuncts, leadsAway, operandsOf, partsOf } from '../../expressions/visit.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';
import type { ConditionSubject } from './doubtful-conditions.ts';

interface Subject extends ConditionSubject {
  readonly catalog: Catalog;
}

/** A condition of a filter on rows of another table. */
interface RemoteCondition {
  readonly table: TableKey;
  readonly item: BoolExp;
}

/**
 * Reports conditions on other tables that compare columns with session variables, when no index begins with such a
 * column. Postgres then reads the whole other table for each statement of the role.
 */
export function slowPaths({ model, catalog, role, table, rules, report }: Subject): void {
  const { filter, position } = rules.select ?? {};
  const conditions = filter ? partsOf(filter).flatMap(remoteCondition) : [];
  for (const condition of conditions) {
    const remote = model.tables.get(condition.table);
    const [column] = remote && !remote.view ? unindexed(condition.item, remote, catalog) : [];
    if (!remote || column === undefined) continue;
    report.warning(
      'RG_UNINDEXED',
      position,
      `no index of ${remote.schema}.${remote.name} begins with a column that the filter of ${role.name} on ${table.schema}.${table.name} compares there`,
      `create index on "${remote.schema}"."${remote.name}" ("${column}")`,
    );
  }
}

function remoteCondition(part: BoolExp): readonly RemoteCondition[] {
  if (!leadsAway(part) || part.kind === 'computedRows') return [];
  if (part.kind === 'related') return [{ table: part.relationship.table, item: part.item }];
  return part.kind === 'exists' ? [{ table: part.table, item: part.item }] : [];
}

/** Returns the columns compared with session variables, unless an index begins with a column that the item tests. */
function unindexed(item: BoolExp, { key }: TableModel, catalog: Catalog): readonly string[] {
  const indexed = catalog.tables.get(key)?.indexed ?? [];
  const parts = conjuncts(item);
  const compared = parts.flatMap(comparedWithVariable);
  const joined = parts.flatMap((part) =>
    part.kind === 'related' ? part.relationship.columns.map(({ local }) => local) : [],
  );
  return [...compared, ...joined].some((column) => indexed.includes(column)) ? [] : compared;
}

function comparedWithVariable(part: BoolExp): readonly string[] {
  if (part.kind !== 'compare' || 'field' in part.column || part.column.scope !== 'row') return [];
  const isVariable = operandsOf(part.operand).some(({ kind }) => kind === 'variable');
  return isVariable ? [part.column.column] : [];
}
