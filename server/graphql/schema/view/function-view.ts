import type {
  FunctionField,
  FunctionModel,
  Model,
  RoleModel,
  TableKey,
} from '../../../../permissions/index.ts';
import { functionAccess } from '../../../../permissions/role-view.ts';
import type { Registry } from '../registry/read-registry.ts';
import { asCalled, clientArgumentsOf } from './computed-view.ts';
import type { CalledTableView, CallView, TableView } from './table-view.ts';

/** A function that is a root field, as one role calls it. */
export interface FunctionView extends CallView {
  readonly model: FunctionModel;
  /** The table whose rows the function returns. */
  readonly table: CalledTableView;
}

/** A root field that calls a function. */
export interface FunctionRoot {
  readonly call: FunctionView;
  readonly table: CalledTableView;
  readonly kind: 'list' | 'aggregate' | 'single';
}

/** The root fields of functions, by name. */
export interface FunctionRoots {
  readonly queries: ReadonlyMap<string, FunctionRoot>;
  readonly mutations: ReadonlyMap<string, FunctionRoot>;
}

interface Surroundings {
  readonly registry: Registry;
  readonly taken: ReadonlySet<string>;
  readonly byKey: ReadonlyMap<TableKey, TableView>;
}

/**
 * Makes the root fields of functions, without functions whose arguments GraphQL cannot describe, or whose rows have no
 * visible field.
 */
export function makeFunctionRoots(
  model: Pick<Model, 'functions' | 'tables'>,
  role: RoleModel,
  surroundings: Surroundings,
): FunctionRoots {
  const views = role.functions.flatMap((key) => {
    const called = model.functions.get(key);
    const table = called && surroundings.byKey.get(called.result.table);
    if (!called || !table) return [];
    const clientArguments = clientArgumentsOf(called, surroundings);
    const { call: own } = functionAccess(role, called, model.tables);
    return [{ model: called, called, table: asCalled(table), clientArguments, own }];
  });
  const exposed = (as: FunctionModel['exposedAs']) =>
    new Map(views.filter(({ model }) => model.exposedAs === as).flatMap(rootsOf));
  return { queries: exposed('query'), mutations: exposed('mutation') };
}

/** The kind of the root field in the metadata. */
export function fieldOf({ kind }: FunctionRoot): FunctionField {
  return kind === 'aggregate' ? 'function_aggregate' : 'function';
}

function rootsOf(call: FunctionView): readonly (readonly [string, FunctionRoot])[] {
  const { model, table } = call;
  const { rootFields, returnsSet, exposedAs } = model;
  const roots: [string, FunctionRoot][] = [];
  if (hasRowFields(table)) {
    roots.push([rootFields.function, { call, table, kind: returnsSet ? 'list' : 'single' }]);
  }
  // Hasura has no aggregate field for mutations, because it would call the function twice: for the rows and for the
  // values.
  if (returnsSet && exposedAs === 'query' && table.select.allowAggregations) {
    roots.push([rootFields.function_aggregate, { call, table, kind: 'aggregate' }]);
  }
  return roots;
}

/** Returns true if the rows of a table have a visible field other than relationships. */
export function hasRowFields({ columns, computed, computedRows }: TableView): boolean {
  return columns.size + computed.size + computedRows.size > 0;
}
