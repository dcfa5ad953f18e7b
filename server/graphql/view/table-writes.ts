import {
  type DeleteRule,
  graphqlName,
  type InsertRule,
  type RoleModel,
  type RootField,
  type TableModel,
  type TablePermissions,
  type UpdateRule,
  upsertGuard,
} from '../../../permissions/index.ts';
import type { ColumnView, TableView } from './role-view.ts';

/** What a role may do to the rows of a table. */
export interface TableWrites {
  readonly insert: InsertView | undefined;
  readonly update: UpdateView | undefined;
  readonly delete: DeleteRule | undefined;
}

export interface InsertView {
  readonly rule: InsertRule;
  /** Columns that a client may give, by name in GraphQL. */
  readonly columns: ReadonlyMap<string, ColumnView>;
  /** Absent where no conflict can be named. */
  readonly upsert: UpsertView | undefined;
}

/** What may follow `on conflict`. */
export interface UpsertView {
  /** Unique constraints whose columns the role may read, as Postgres demands; by name in GraphQL. */
  readonly constraints: ReadonlyMap<string, string>;
  /** Columns that an existing row may get from the new one, by name in GraphQL. */
  readonly columns: ReadonlyMap<string, ColumnView>;
  /** The function that says whether an existing row may be changed; undefined where every one may be. */
  readonly guard: { readonly schema: string; readonly name: string } | undefined;
}

export interface UpdateView {
  readonly rule: UpdateRule;
  /** Columns that a client may change, by name in GraphQL. */
  readonly columns: ReadonlyMap<string, ColumnView>;
}

interface Surroundings {
  readonly role: RoleModel;
  /** By names in the table. */
  readonly columnsOf: (names: readonly string[]) => readonly ColumnView[];
  /** Columns that SQL may read. */
  readonly readable: ReadonlySet<string>;
}

/** Joins the rules of one table with what is known of its columns. */
export function makeTableWrites(
  model: TableModel,
  permissions: TablePermissions,
  surroundings: Surroundings,
): TableWrites {
  const { insert, update, delete: remove } = permissions;
  const writable = (rule: InsertRule | UpdateRule) =>
    byName(surroundings.columnsOf(rule.columns.filter((name) => !isGenerated(model, name))));
  return {
    insert: insert && {
      rule: insert,
      columns: writable(insert),
      upsert: upsertOf(model, permissions, surroundings),
    },
    update: update && { rule: update, columns: writable(update) },
    delete: remove,
  };
}

export function byName(columns: readonly ColumnView[]): ReadonlyMap<string, ColumnView> {
  return new Map(columns.map((column) => [column.name, column]));
}

/** The part of a schema's key that these rights decide. */
export function describeWrites({ insert, update, delete: remove }: TableWrites): unknown {
  const upsert = insert?.upsert;
  return [
    insert && [...insert.columns.keys()],
    upsert && [[...upsert.constraints.keys()], [...upsert.columns.keys()]],
    update && [[...update.columns.keys()], update.rule.presets.length > 0],
    remove !== undefined,
  ];
}

function isGenerated(model: TableModel, name: string): boolean {
  return model.columns.get(name)?.generated === true;
}

function upsertOf(
  model: TableModel,
  { select, update }: TablePermissions,
  { role, columnsOf, readable }: Surroundings,
): UpsertView | undefined {
  const constraints = model.uniqueConstraints.filter(({ columns }) =>
    columns.every((name) => readable.has(name)),
  );
  if (!select || constraints.length === 0) return undefined;
  const guard = upsertGuard(role, model);
  // `excluded.x` is a read of x.
  const changeable = (update?.columns ?? []).filter(
    (name) => guard !== undefined && readable.has(name) && !isGenerated(model, name),
  );
  return {
    constraints: new Map(constraints.map(({ name }) => [graphqlName(name), name])),
    columns: byName(columnsOf(changeable)),
    guard: guard === 'open' ? undefined : guard,
  };
}

/** A root field of mutation_root and what it does. */
export interface MutationField {
  readonly name: string;
  readonly table: TableView;
  readonly kind: MutationKind;
}

export type MutationKind = Exclude<RootField, 'select' | 'select_by_pk' | 'select_aggregate'>;

/** Every root field of mutation_root that the rules on these tables open, by name. */
export function mutationFields(tables: Iterable<TableView>): ReadonlyMap<string, MutationField> {
  const fields = [...tables].flatMap((table) =>
    mutationKinds(table).map((kind) => ({ name: table.model.rootFields[kind], table, kind })),
  );
  return new Map(fields.map((field) => [field.name, field]));
}

function mutationKinds(table: TableView): readonly MutationKind[] {
  const { insert, update, delete: remove } = table;
  const returnsRow = table.columns.size > 0;
  const isFound = table.primaryKey.length > 0;
  const changes = update && (update.columns.size > 0 || update.rule.presets.length > 0);
  const kinds: readonly (readonly [MutationKind, boolean])[] = [
    ['insert', insert !== undefined],
    ['insert_one', insert !== undefined && returnsRow],
    ['update', Boolean(changes)],
    ['update_by_pk', Boolean(changes) && isFound],
    ['update_many', Boolean(changes)],
    ['delete', remove !== undefined],
    ['delete_by_pk', remove !== undefined && isFound],
  ];
  return kinds.filter(([, exists]) => exists).map(([kind]) => kind);
}
