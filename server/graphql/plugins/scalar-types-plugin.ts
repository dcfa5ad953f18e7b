import type {} from 'postgraphile/graphile-build';
import { type GraphQLNamedType, valueFromASTUntyped } from 'postgraphile/graphql';
import type { RoleView, TableView } from '../view/role-view.ts';
import type { Scalar } from '../view/scalar.ts';

/** How the values of a scalar are checked; stands in the type's extensions under `rowgate`. */
export type ScalarCheck = Pick<Scalar, 'rule' | 'labels'>;

const BUILT_IN: ReadonlySet<string> = new Set(['Int', 'Float', 'Boolean', 'String']);

/** Registers a scalar for each column type that GraphQL does not know itself. */
export const ScalarTypesPlugin: GraphileConfig.Plugin = {
  name: 'ScalarTypesPlugin',
  version: '1.0.0',
  after: ['DialectPlugin'],
  schema: {
    hooks: {
      init(_, build) {
        for (const [name, check] of customScalars(build.rowgate.view)) {
          build.registerScalarType(name, {}, () => scalarConfig(check), 'ScalarTypesPlugin');
        }
        return _;
      },
    },
  },
};

/** The check of a custom scalar; undefined for any other type. */
export function scalarCheckOf(type: GraphQLNamedType): ScalarCheck | undefined {
  return type.extensions.rowgate as ScalarCheck | undefined;
}

function customScalars(view: RoleView): ReadonlyMap<string, ScalarCheck> {
  const found = new Map<string, ScalarCheck>();
  for (const table of view.tables.values()) {
    for (const scalar of scalarsOf(table)) {
      if (BUILT_IN.has(scalar.name)) continue;
      const known = found.get(scalar.name);
      found.set(scalar.name, known ? merge(known, scalar) : scalar);
    }
  }
  return found;
}

function scalarsOf(table: TableView): readonly Scalar[] {
  const { columns, computed, computedRows, insert, update } = table;
  const calls = [...computed.values(), ...computedRows.values()];
  return [
    ...[columns, computed, insert?.columns, update?.columns].flatMap((some) => [
      ...(some?.values() ?? []),
    ]),
    ...calls.flatMap(({ clientArguments }) => clientArguments),
  ].map(({ scalar }) => scalar);
}

// Two types of one name in different schemas: only what holds for both is checked here, the rest by Postgres.
function merge(a: ScalarCheck, b: ScalarCheck): ScalarCheck {
  const same = a.rule === b.rule && a.labels?.join('\0') === b.labels?.join('\0');
  return same ? a : { rule: 'any', labels: undefined };
}

// Values are checked before execution and written by Postgres; GraphQL itself passes them through.
function scalarConfig({ rule, labels }: ScalarCheck) {
  return {
    serialize: (value: unknown) => value,
    parseValue: (value: unknown) => value,
    parseLiteral: valueFromASTUntyped,
    extensions: { rowgate: { rule, labels } satisfies ScalarCheck },
  };
}
