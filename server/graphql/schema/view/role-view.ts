import { createHash } from 'node:crypto';
import type {
  Model,
  RoleModel,
  RootField,
  Steps,
  TableKey,
  TablePermissions,
} from '../../../../permissions/index.ts';
import { runAtOnce, takenGraphqlNames } from '../../../../permissions/role-view.ts';
import type { Registry } from '../registry/read-registry.ts';
import type { ColumnView } from './column-view.ts';
import type { ExtensionCatalog } from './extension-catalog.ts';
import { describeExtensions, type ExtensionView, makeExtensionView } from './extension-view.ts';
import {
  type FunctionRoot,
  type FunctionRoots,
  hasRowFields,
  makeFunctionRoots,
} from './function-view.ts';
import { makeTableView } from './make-table-view.ts';
import { describeRelationship } from './relationship-view.ts';
import type { ComputedCall, TableView } from './table-view.ts';
import { describeWrites, type MutationField, mutationFields } from './table-writes.ts';

/** A root field that reads a table. */
export interface RootTable {
  readonly table: TableView;
  readonly kind: 'list' | 'by_pk' | 'aggregate';
}

/** A root field that streams the rows of a table. */
export interface StreamRoot {
  readonly table: TableView;
  /** The columns that a cursor may have, by name in GraphQL. */
  readonly cursors: ReadonlyMap<string, ColumnView>;
}

/** The fields of the subscription type, by name. */
export interface SubscriptionRoots {
  readonly tables: ReadonlyMap<string, RootTable>;
  readonly functions: ReadonlyMap<string, FunctionRoot>;
  readonly streams: ReadonlyMap<string, StreamRoot>;
}

/** The tables and fields that one role may read and write. */
export interface RoleView {
  readonly role: RoleModel;
  readonly isAdmin: boolean;
  /** All tables of the model. Rules of the role may read tables on which the role has no rule. */
  readonly models: ViewedModel['tables'];
  /** Tables for which the role has any rule, by name in GraphQL. */
  readonly tables: ReadonlyMap<string, TableView>;
  /** Fields of the query type that read tables, by name. */
  readonly roots: ReadonlyMap<string, RootTable>;
  /** Fields of the mutation type that write tables, by name. */
  readonly mutations: ReadonlyMap<string, MutationField>;
  readonly functions: FunctionRoots;
  readonly subscriptions: SubscriptionRoots;
  /** Undefined when the role may use no field of an extension. */
  readonly extensions: ExtensionView | undefined;
  /** A key that is equal for roles with equal GraphQL schemas, which then share one schema object. */
  readonly schemaKey: string;
}

/** The part of the model that decides the views of all roles. */
export type ViewedModel = Pick<Model, 'tables' | 'functions'>;

/**
 * Combines the rules of a role with the column types that were read from the database. `backend_only` rules apply only
 * if `asBackend`.
 */
export function makeRoleView(
  model: ViewedModel,
  role: RoleModel,
  registry: Registry,
  asBackend: boolean,
  catalog?: ExtensionCatalog,
): RoleView {
  return runAtOnce(roleViewSteps(model, role, registry, asBackend, catalog));
}

/** Does the same as `makeRoleView`, one table after the other. */
export function* roleViewSteps(
  model: ViewedModel,
  role: RoleModel,
  registry: Registry,
  asBackend: boolean,
  catalog?: ExtensionCatalog,
): Steps<RoleView> {
  const taken = takenNames(model);
  const byKey = new Map<TableKey, TableView>();
  for (const [key, permissions] of role.tables) {
    const table = model.tables.get(key);
    const rules = asBackend ? permissions : withoutBackend(permissions);
    if (!table || !hasRule(rules)) continue;
    byKey.set(
      key,
      makeTableView(table, rules, { role, registry, taken, models: model.tables, byKey }),
    );
    yield;
  }
  const tables = new Map([...byKey.values()].map((table) => [table.name, table]));
  const roots = new Map(
    [...tables.values()].flatMap((table) => rootsOf(table, table.select.queryFields)),
  );
  const functions = makeFunctionRoots(model, role, { registry, taken, byKey });
  const subscriptions = subscriptionRoots(tables, functions);
  const extensions = makeExtensionView(catalog, role.name, byKey);
  yield;
  const schemaKey = yield* schemaKeySteps({
    ...{ tables, roots, functions, subscriptions, extensions },
  });
  return {
    role,
    isAdmin: role.name === 'admin',
    models: model.tables,
    tables,
    roots,
    mutations: mutationFields(tables.values()),
    functions,
    subscriptions,
    extensions,
    schemaKey,
  };
}

const namesOf = new WeakMap<ViewedModel, ReadonlySet<string>>();

/** Returns the names of all GraphQL types of a model. All roles share the set. */
function takenNames(model: ViewedModel): ReadonlySet<string> {
  const known = namesOf.get(model);
  if (known) return known;
  const taken = takenGraphqlNames(model.tables.values(), model.functions.values());
  namesOf.set(model, taken);
  return taken;
}

function hasRule({ select, insert, update, delete: remove }: TablePermissions): boolean {
  return [select, insert, update, remove].some((rule) => rule !== undefined);
}

function withoutBackend(permissions: TablePermissions): TablePermissions {
  const open = <R extends { readonly backendOnly: boolean }>(rule: R | undefined) =>
    rule?.backendOnly ? undefined : rule;
  const { insert, update, delete: remove } = permissions;
  return { ...permissions, insert: open(insert), update: open(update), delete: open(remove) };
}

function rootsOf(
  table: TableView,
  listed: readonly RootField[] | undefined,
): readonly (readonly [string, RootTable])[] {
  const { rootFields } = table.model;
  const { allowAggregations } = table.select;
  const offered = [
    ...(hasRowFields(table) ? [['select', 'list'] as const] : []),
    ...(table.primaryKey.length > 0 ? [['select_by_pk', 'by_pk'] as const] : []),
    ...(allowAggregations ? [['select_aggregate', 'aggregate'] as const] : []),
  ];
  return offered
    .filter(([field]) => listed?.includes(field) ?? true)
    .map(([field, kind]) => [rootFields[field], { table, kind }]);
}

function subscriptionRoots(
  tables: RoleView['tables'],
  functions: FunctionRoots,
): SubscriptionRoots {
  const all = [...tables.values()];
  return {
    tables: new Map(all.flatMap((table) => rootsOf(table, table.select.subscriptionFields))),
    functions: new Map([...functions.queries].filter(([, { call }]) => !call.model.isVolatile)),
    streams: new Map(all.flatMap(streamOf)),
  };
}

/**
 * Returns the stream of a table. The primary key identifies rows and the cursor orders them, so the role must
 * see both in every row. A key without an order has no place in a stream, and no list can name several arrays.
 */
function streamOf(table: TableView): readonly (readonly [string, StreamRoot])[] {
  const { model, select, primaryKey, columns } = table;
  const isListed = select.subscriptionFields?.includes('select_stream') ?? true;
  const isShown = ({ column }: ColumnView) => !select.columnMasks.has(column);
  const cursors = [...columns].filter(
    ([, view]) => model.live?.cursors.includes(view.column) && isShown(view),
  );
  const canName = ({ comparisons, scalar }: ColumnView) =>
    comparisons.has('_gt') && !scalar.isArray;
  const hasKey = primaryKey.length > 0 && primaryKey.every((key) => isShown(key) && canName(key));
  if (!isListed || !hasKey || cursors.length === 0) return [];
  return [[model.rootFields.select_stream, { table, cursors: new Map(cursors) }]];
}

// A schema does not contain limits. From filters, it contains only whether an object relationship always finds a row.
function* schemaKeySteps({
  tables,
  roots,
  functions,
  subscriptions,
  extensions,
}: Pick<
  RoleView,
  'tables' | 'roots' | 'functions' | 'subscriptions' | 'extensions'
>): Steps<string> {
  const hash = createHash('sha256');
  for (const { model, columns, select, relationships, ...rest } of tables.values()) {
    const described = [
      [model.key, select.allowAggregations, [...columns.keys()], [...select.columnMasks.keys()]],
      [...rest.computed.values(), ...rest.computedRows.values()].map(describeCall),
      [...relationships.values()].map(describeRelationship),
      describeWrites(rest),
    ];
    hash.update(JSON.stringify(described));
    yield;
  }
  const { queries, mutations } = functions;
  const watched = [subscriptions.tables, subscriptions.functions];
  const fields = [roots, queries, mutations, ...watched].map((named) => [...named.keys()]);
  const streams = [...subscriptions.streams].map(([name, { cursors }]) => [
    name,
    ...cursors.keys(),
  ]);
  return hash
    .update(JSON.stringify([fields, streams, describeExtensions(extensions)]))
    .digest('base64');
}

function describeCall({ field, clientArguments }: ComputedCall) {
  return [field.name, clientArguments.length];
}
