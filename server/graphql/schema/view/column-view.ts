import type { TableModel } from '../../../../permissions/index.ts';
import type { ExtensionOperators } from '../registry/extension-operators.ts';
import type { Registry } from '../registry/read-registry.ts';
import { type Comparison, comparisonsOf } from './comparison.ts';
import { enumScalar, isBuiltin, type Scalar, scalarOf } from './scalar.ts';

/** A field of a row with a single value. */
export interface ValueView {
  /** Name in GraphQL. */
  readonly name: string;
  readonly scalar: Scalar;
  readonly description: string | undefined;
  readonly comparisons: ReadonlyMap<string, Comparison>;
}

export interface ColumnView extends ValueView {
  /**
   * Name in the table. The GraphQL name differs from it when the metadata or the naming rules of GraphQL require
   * another name.
   */
  readonly column: string;
  readonly notNull: boolean;
  /**
   * Number of tables that Postgres reads to evaluate the column mask, the condition that hides the value in some rows.
   */
  readonly tables: number;
  /**
   * Schemas of the aggregates `min` and `max`, by their names, if an extension of Postgres defines them for the type.
   */
  readonly aggregates: ReadonlyMap<string, string>;
}

interface Sources {
  readonly registry: Registry;
  readonly taken: ReadonlySet<string>;
}

type ColumnViews = Map<string, ColumnView | undefined>;

const known = new WeakMap<Registry, WeakMap<TableModel, ColumnViews>>();

/** Returns undefined when the registry has no such column. All roles share the view of a column. */
export function makeColumnView(
  table: TableModel,
  name: string,
  sources: Sources,
): ColumnView | undefined {
  const views = viewsOf(sources.registry, table);
  if (!views.has(name)) views.set(name, describeColumn(table, name, sources));
  return views.get(name);
}

function viewsOf(registry: Registry, table: TableModel): ColumnViews {
  const byTable = known.get(registry) ?? new WeakMap<TableModel, ColumnViews>();
  known.set(registry, byTable);
  const views: ColumnViews = byTable.get(table) ?? new Map();
  byTable.set(table, views);
  return views;
}

function describeColumn(
  table: TableModel,
  name: string,
  { registry, taken }: Sources,
): ColumnView | undefined {
  const found = registry.column(table, name);
  const own = table.columns.get(name);
  if (!found || !own) return undefined;
  const { type, notNull } = found;
  const plain = scalarOf(type, taken);
  const values = registry.enums.get(own.enumTable ?? '');
  const scalar = values ? enumScalar(plain, values) : plain;
  return {
    name: own.graphqlName,
    column: name,
    scalar,
    notNull: notNull || own.notNull,
    tables: 0,
    description: own.description,
    comparisons: comparisonsOf(scalar, registry.operators),
    aggregates: ownAggregates(scalar, registry.operators),
  };
}

/** Returns the schemas of `min` and `max`, if an extension defines them for the type. */
export function ownAggregates(
  { type }: Scalar,
  operators: ExtensionOperators,
): ReadonlyMap<string, string> {
  if (isBuiltin(type) || type.element) return new Map();
  const entries = ['min', 'max'].flatMap((name) => {
    const schema = operators.aggregate(type.schema, type.name, name);
    return schema === undefined ? [] : [[name, schema] as const];
  });
  return new Map(entries);
}
