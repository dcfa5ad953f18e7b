import type {
  Model,
  RoleModel,
  SelectRule,
  TableKey,
  TableModel,
  TablePermissions,
} from '../../../../permissions/index.ts';
import { grantedColumns, tableAccess, tablesOf } from '../../../../permissions/role-view.ts';
import type { Registry } from '../registry/read-registry.ts';
import { makeColumnView } from './column-view.ts';
import { makeComputedViews } from './computed-view.ts';
import { makeRelationships } from './relationship-view.ts';
import type { TableView } from './table-view.ts';
import { byName, makeTableWrites } from './table-writes.ts';

interface Surroundings {
  readonly role: RoleModel;
  readonly registry: Registry;
  readonly taken: ReadonlySet<string>;
  readonly models: Model['tables'];
  readonly byKey: ReadonlyMap<TableKey, TableView>;
}

/** Combines the rules of a role for a table with the column types that were read from the database. */
export function makeTableView(
  model: TableModel,
  permissions: TablePermissions,
  surroundings: Surroundings,
): TableView {
  const { role, models } = surroundings;
  const access = tableAccess(role, model, permissions, models);
  const select = permissions.select ?? nothing(model);
  const columnsOf = (names: readonly string[]) =>
    names.flatMap((name) => {
      const column = makeColumnView(model, name, surroundings);
      if (!column) return [];
      const mask = select.columnMasks.get(name);
      return [mask ? { ...column, notNull: false, tables: tablesOf(mask) } : column];
    });
  const columns = byName(columnsOf(select.columns));
  const readable = columnsOf(grantedColumns(permissions));
  const shown = columnsOf([...select.columns, ...permissions.hiddenKeys]);
  const key = model.primaryKey.flatMap((name) =>
    [...columns.values()].filter(({ column }) => column === name),
  );
  return {
    model,
    rows: access.rows,
    keyRows: access.keyRows,
    entryCheck: access.entryCheck,
    writes: access.writes,
    name: model.graphqlName,
    columns,
    relationships: makeRelationships(access, surroundings),
    primaryKey: key.length === model.primaryKey.length ? key : [],
    select,
    readable: new Map(readable.map((column) => [column.column, column])),
    shown: new Map(shown.map((column) => [column.column, column])),
    joinColumns: access.joinColumns,
    tables: 1 + tablesOf(select.filter),
    ...makeComputedViews(access, surroundings),
    ...makeTableWrites(access, {
      columnsOf,
      readable: new Set(readable.map(({ column }) => column)),
    }),
  };
}

function nothing({ position }: TableModel): SelectRule {
  return {
    filter: { kind: 'or', items: [] },
    columns: [],
    computedFields: [],
    columnMasks: new Map(),
    fieldMasks: new Map(),
    allowAggregations: false,
    queryFields: undefined,
    subscriptionFields: undefined,
    limit: undefined,
    variables: [],
    position,
  };
}
