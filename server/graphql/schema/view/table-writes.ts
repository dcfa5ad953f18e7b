import type {
  InsertRule,
  RootField,
  SubscriptionField,
  TableAccess,
  TableModel,
  UniqueConstraint,
  UpdateRule,
} from '../../../../permissions/index.ts';
import { graphqlName } from '../../../../permissions/role-view.ts';
import type { ColumnView } from './column-view.ts';
import { hasRowFields } from './function-view.ts';
import type { ConflictHandling, TableView, TableWrites, UpsertView } from './table-view.ts';

interface Surroundings {
  /** Returns columns by their names in the table. */
  readonly columnsOf: (names: readonly string[]) => readonly ColumnView[];
  /** Columns that the role may read from the table itself. */
  readonly readable: ReadonlySet<string>;
}

/** Combines the write rules of one table with its column types. */
export function makeTableWrites(access: TableAccess, surroundings: Surroundings): TableWrites {
  const { table: model, rules } = access;
  const { insert, update, delete: remove } = rules;
  const writable = (rule: InsertRule | UpdateRule) =>
    byName(surroundings.columnsOf(rule.columns.filter((name) => !isGenerated(model, name))));
  return {
    insert: insert && {
      rule: insert,
      columns: writable(insert),
      upsert: upsertOf(access, surroundings),
    },
    update: update && { rule: update, columns: writable(update) },
    delete: remove,
  };
}

export function byName(columns: readonly ColumnView[]): ReadonlyMap<string, ColumnView> {
  return new Map(columns.map((column) => [column.name, column]));
}

/** The part of the schema key that depends on write rules. Roles with equal schema keys share one schema. */
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
  { table: model, rules: { select, update }, upserts }: TableAccess,
  { columnsOf, readable }: Surroundings,
): UpsertView | undefined {
  if (model.uniqueConstraints.length === 0) return undefined;
  const updateCheck = upserts.updateCheck;
  const isReadable = ({ columns }: UniqueConstraint) =>
    select !== undefined && columns.every((name) => readable.has(name));
  const ignoringBy = (one: UniqueConstraint): ConflictHandling =>
    isReadable(one) ? { kind: 'clause' } : { kind: 'row by row', conflictLookup: undefined };
  const updatingBy = (one: UniqueConstraint): ConflictHandling => {
    const conflictLookup = upserts.conflictLookups.get(one.name);
    if (conflictLookup) return { kind: 'row by row', conflictLookup };
    if (updateCheck !== undefined && isReadable(one)) return { kind: 'clause' };
    return { kind: 'refused', why: whyNoLookup(model) };
  };
  const constraints = model.uniqueConstraints.map((one) => ({
    name: one.name,
    columns: columnsOf(one.columns),
    ignoring: ignoringBy(one),
    updating: updatingBy(one),
  }));
  // Assigning `excluded.x` reads x, which needs the right to read that column. Row-by-row inserts pass the value a
  // second time instead.
  const readsAll = constraints.every(({ updating }) => updating.kind === 'clause');
  const changeable = (update?.columns ?? []).filter(
    (name) => !isGenerated(model, name) && (!readsAll || readable.has(name)),
  );
  return {
    constraints: new Map(constraints.map((one) => [graphqlName(one.name), one])),
    columns: byName(columnsOf(changeable)),
    updateCheck: updateCheck === 'open' ? undefined : updateCheck,
  };
}

function whyNoLookup({ hasInsertTriggers }: TableModel): string {
  return hasInsertTriggers
    ? 'it would not get the values that BEFORE INSERT triggers assign to the new row'
    : 'one of its columns is generated or preset by the update rule, or its nulls are not distinct';
}

/** A root field of mutation_root, and its effect. */
export interface MutationField {
  readonly name: string;
  readonly table: TableView;
  readonly kind: MutationKind;
}

export type MutationKind = Exclude<RootField, SubscriptionField>;

/** Returns the root fields of mutation_root that the rules of these tables allow, by name. */
export function mutationFields(tables: Iterable<TableView>): ReadonlyMap<string, MutationField> {
  const fields = [...tables].flatMap((table) =>
    mutationKinds(table).map((kind) => ({ name: table.model.rootFields[kind], table, kind })),
  );
  return new Map(fields.map((field) => [field.name, field]));
}

/**
 * Returns true if a write can return its rows. The role needs at least one column that is masked in no row, because a
 * write reads the table itself and not the view with the masks.
 */
export function returnsRows(table: TableView): boolean {
  return hasRowFields(table) && table.readable.size > 0;
}

function mutationKinds(table: TableView): readonly MutationKind[] {
  const { insert, update, delete: remove } = table;
  const isFound =
    table.primaryKey.length > 0 &&
    table.primaryKey.every(({ column }) => table.readable.has(column));
  const changes = update && (update.columns.size > 0 || update.rule.presets.length > 0);
  const kinds: readonly (readonly [MutationKind, boolean])[] = [
    ['insert', insert !== undefined],
    ['insert_one', insert !== undefined && returnsRows(table)],
    ['update', Boolean(changes)],
    ['update_by_pk', Boolean(changes) && isFound],
    ['update_many', Boolean(changes)],
    ['delete', remove !== undefined],
    ['delete_by_pk', remove !== undefined && isFound],
  ];
  return kinds.filter(([, exists]) => exists).map(([kind]) => kind);
}
