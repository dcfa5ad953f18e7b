import { createHash } from 'node:crypto';
import {
  type Model,
  type RoleModel,
  type TableKey,
  type TablePermissions,
  takenGraphqlNames,
} from '../../../../permissions/index.ts';
import { runAtOnce, type Steps } from '../../../in-slices.ts';
import type { Registry } from '../registry/read-registry.ts';
import type { ExtensionCatalog } from './extension-catalog.ts';
import { describeExtensions, type ExtensionView, makeExtensionView } from './extension-view.ts';
import { type FunctionRoots, hasRowFields, makeFunctionRoots } from './function-view.ts';
import { makeTableView } from './make-table-view.ts';
import { describeRelationship } from './relationship-view.ts';
import type { ComputedCall, TableView } from './table-view.ts';
import { describeWrites, type MutationField, mutationFields } from './table-writes.ts';

/** A root field that reads a table. */
export interface RootTable {
  readonly table: TableView;
  readonly kind: 'list' | 'by_pk' | 'aggregate';
}

/** The tables and fields that one role may read and write. */
export interface RoleView {
  readonly role: RoleModel;
  readonly isAdmin: boolean;
  /** Tables for which the role has any rule, by name in GraphQL. */
  readonly tables: ReadonlyMap<string, TableView>;
  /** Fields of the query type that read tables, by name. */
  readonly roots: ReadonlyMap<string, RootTable>;
  /** Fields of the mutation type that write tables, by name. */
  readonly mutations: ReadonlyMap<string, MutationField>;
  readonly functions: FunctionRoots;
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
  const roots = new Map([...tables.values()].flatMap(rootsOf));
  const functions = makeFunctionRoots(model, role, { registry, taken, byKey });
  const extensions = makeExtensionView(catalog, role.name, byKey);
  yield;
  const schemaKey = yield* schemaKeySteps({ tables, roots, functions, extensions });
  return {
    role,
    isAdmin: role.name === 'admin',
    tables,
    roots,
    mutations: mutationFields(tables.values()),
    functions,
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

function rootsOf(table: TableView): readonly (readonly [string, RootTable])[] {
  const { rootFields } = table.model;
  const { allowAggregations, queryFields } = table.select;
  const offered = [
    ...(hasRowFields(table) ? [['select', 'list'] as const] : []),
    ...(table.primaryKey.length > 0 ? [['select_by_pk', 'by_pk'] as const] : []),
    ...(allowAggregations ? [['select_aggregate', 'aggregate'] as const] : []),
  ];
  return offered
    .filter(([field]) => queryFields?.includes(field) ?? true)
    .map(([field, kind]) => [rootFields[field], { table, kind }]);
}

// A schema does not contain limits. From filters, it contains only whether an object relationship always finds a row.
function* schemaKeySteps({
  tables,
  roots,
  functions,
  extensions,
}: Pick<RoleView, 'tables' | 'roots' | 'functions' | 'extensions'>): Steps<string> {
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
  const fields = [roots, queries, mutations].map((named) => [...named.keys()]);
  return hash.update(JSON.stringify([fields, describeExtensions(extensions)])).digest('base64');
}

function describeCall({ field, clientArguments }: ComputedCall) {
  return [field.name, clientArguments.length];
}
