import type { TableModel } from '../../../../permissions/index.ts';
import type { ExtensionOperators } from '../registry/extension-operators.ts';
import type { Registry } from '../registry/read-registry.ts';
import { type Comparison, comparisonsOf } from './comparison.ts';
import { enumScalar, isBuiltin, type Scalar, scalarOf } from './scalar.ts';

/** Something of a row that has one value. */
export interface ValueView {
  /** Field name in GraphQL. */
  readonly name: string;
  readonly scalar: Scalar;
  readonly description: string | undefined;
  readonly comparisons: ReadonlyMap<string, Comparison>;
}

export interface ColumnView extends ValueView {
  /** Name in the table; differs where GraphQL cannot express that. */
  readonly column: string;
  readonly notNull: boolean;
  /** Tables that the condition under which a row shows it leads to. */
  readonly tables: number;
  /** Schemas of `min` and `max` where the type brings its own. */
  readonly aggregates: ReadonlyMap<string, string>;
}

/** Undefined where the registry knows no such column. */
export function makeColumnView(
  table: TableModel,
  name: string,
  { registry, taken }: { readonly registry: Registry; readonly taken: ReadonlySet<string> },
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

/** Schemas of `min` and `max` where the type of an extension brings its own. */
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
