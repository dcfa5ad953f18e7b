import {
  grantedColumns,
  type Model,
  type RoleModel,
  rowsView,
  type SelectRule,
  type TableKey,
  type TableModel,
  type TablePermissions,
  tablesOf,
  type ViewName,
  type ViewWrite,
  writeViews,
} from '../../../../permissions/index.ts';
import type { Registry } from '../registry/read-registry.ts';
import { type ColumnView, makeColumnView } from './column-view.ts';
import { type ComputedViews, makeComputedViews } from './computed-view.ts';
import { makeRelationships, type RelationshipView } from './relationship-view.ts';
import { byName, makeTableWrites, type TableWrites } from './table-writes.ts';

/** A table as one role may read and write it. */
export interface TableView extends TableWrites, ComputedViews {
  readonly model: TableModel;
  /** What it is read by instead of the table itself, whose names for columns it has. */
  readonly rows: ViewName | undefined;
  /** What it is written by instead of the table itself, likewise. */
  readonly writes: ReadonlyMap<ViewWrite, ViewName>;
  /** Of its type, and before those of its other types. */
  readonly name: string;
  readonly columns: ReadonlyMap<string, ColumnView>;
  readonly relationships: ReadonlyMap<string, RelationshipView>;
  /** Empty where the role may not select every key column. */
  readonly primaryKey: readonly ColumnView[];
  /** Without a rule: one that shows nothing. */
  readonly select: SelectRule;
  /** Every column that SQL may read of the table itself, by its name there: of the rule, and hidden keys. */
  readonly readable: ReadonlyMap<string, ColumnView>;
  /** Every column that the rows have by which it is read, likewise: those that only some rows show, too. */
  readonly shown: ReadonlyMap<string, ColumnView>;
  readonly joinCells: TablePermissions['joinCells'];
  /** Tables that reading it leads to: itself, and those of the condition that its rows are seen by. */
  readonly tables: number;
}

interface Surroundings {
  readonly role: RoleModel;
  readonly registry: Registry;
  readonly taken: ReadonlySet<string>;
  readonly models: Model['tables'];
  readonly byKey: ReadonlyMap<TableKey, TableView>;
}

/** Joins a role's rules for a table with what the registry knows of its columns. */
export function makeTableView(
  model: TableModel,
  permissions: TablePermissions,
  surroundings: Surroundings,
): TableView {
  const select = permissions.select ?? nothing(model);
  const columnsOf = (names: readonly string[]) =>
    names.flatMap((name) => {
      const column = makeColumnView(model, name, surroundings);
      if (!column) return [];
      const cell = select.cells.get(name);
      return [cell ? { ...column, notNull: false, tables: tablesOf(cell) } : column];
    });
  const columns = byName(columnsOf(select.columns));
  const readable = columnsOf(grantedColumns(permissions));
  const shown = columnsOf([...select.columns, ...permissions.hiddenKeys]);
  const key = model.primaryKey.flatMap((name) =>
    [...columns.values()].filter(({ column }) => column === name),
  );
  return {
    model,
    rows: rowsView(surroundings.role, model),
    writes: writeViews(surroundings.role, model),
    name: model.graphqlName,
    columns,
    relationships: makeRelationships(model, permissions, surroundings),
    primaryKey: key.length === model.primaryKey.length ? key : [],
    select,
    readable: new Map(readable.map((column) => [column.column, column])),
    shown: new Map(shown.map((column) => [column.column, column])),
    joinCells: permissions.joinCells,
    tables: 1 + tablesOf(select.filter),
    ...makeComputedViews(model, permissions, surroundings),
    ...makeTableWrites(model, permissions, {
      role: surroundings.role,
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
    cells: new Map(),
    computedCells: new Map(),
    allowAggregations: false,
    queryFields: undefined,
    limit: undefined,
    variables: [],
    position,
  };
}
