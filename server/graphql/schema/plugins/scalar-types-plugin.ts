import type {} from 'postgraphile/graphile-build';
import {
  type GraphQLEnumValueConfigMap,
  type GraphQLNamedType,
  valueFromASTUntyped,
} from 'postgraphile/graphql';
import type { EnumValue } from '../../../../permissions/index.ts';
import type { RoleView } from '../view/role-view.ts';
import type { Scalar } from '../view/scalar.ts';
import { makePart } from './dialect-part.ts';

/** The check for values of a scalar. The type stores it in its extensions under `rowgate`. */
export type ScalarCheck = Pick<Scalar, 'rule' | 'labels' | 'members'>;

const BUILT_IN: ReadonlySet<string> = new Set(['Int', 'Float', 'Boolean', 'String']);

/** Defines a scalar for each column type that GraphQL lacks, and an enum for each enum table. */
export const scalarTypesPart = makePart('ScalarTypesPlugin', {
  types(build) {
    const { view } = build.rowgate;
    const scalars = scalarsOf(view);
    for (const { name, values } of enumsAmong(scalars)) {
      build.registerEnumType(name, {}, () => ({ values: enumConfig(values) }), name);
    }
    for (const [name, check] of customScalars([...scalars, ...givenTo(view)])) {
      build.registerScalarType(name, {}, () => scalarConfig(check), 'ScalarTypesPlugin');
    }
  },
});

/** Returns the check of a custom scalar; undefined for any other type. */
export function scalarCheckOf(type: GraphQLNamedType): ScalarCheck | undefined {
  return type.extensions.rowgate as ScalarCheck | undefined;
}

function customScalars(scalars: Iterable<Scalar>): ReadonlyMap<string, ScalarCheck> {
  const found = new Map<string, Scalar>();
  for (const scalar of scalars) {
    if (BUILT_IN.has(scalar.name) || scalar.values) continue;
    const known = found.get(scalar.name);
    found.set(scalar.name, known ? merge(known, scalar) : scalar);
  }
  return found;
}

interface Enum {
  readonly name: string;
  readonly values: readonly EnumValue[];
}

/** Returns one enum for each name. */
function enumsAmong(scalars: Iterable<Scalar>): Iterable<Enum> {
  const found = new Map<string, Enum>();
  for (const { name, values } of scalars) if (values) found.set(name, { name, values });
  return found.values();
}

function enumConfig(values: readonly EnumValue[]): GraphQLEnumValueConfigMap {
  const entries = values.map(({ name, description }) => [
    name,
    description === undefined ? {} : { description },
  ]);
  return Object.fromEntries(entries);
}

/** Returns the scalars of all tables. */
function scalarsOf(view: RoleView): ReadonlySet<Scalar> {
  const found = new Set<Scalar>();
  for (const { columns, computed, computedRows, insert, update } of view.tables.values()) {
    for (const some of [columns, computed, insert?.columns, update?.columns]) {
      for (const { scalar } of some?.values() ?? []) found.add(scalar);
    }
    for (const { clientArguments } of [...computed.values(), ...computedRows.values()]) {
      for (const { scalar } of clientArguments) found.add(scalar);
    }
  }
  return found;
}

/** The types of the arguments that clients pass to root-field functions. */
function givenTo({ functions }: RoleView): readonly Scalar[] {
  const roots = [...functions.queries.values(), ...functions.mutations.values()];
  const given = roots.flatMap(({ call }) => call.clientArguments);
  return given.map(({ scalar }) => scalar);
}

// Types with the same name in different schemas share one GraphQL scalar. Rowgate checks only the requirements of both
// types. Postgres checks the rest when it receives the value.
function merge(a: Scalar, b: Scalar): Scalar {
  const [one, other] = [a, b].map(({ type }) => type.element ?? type);
  if (one?.schema === other?.schema && one?.name === other?.name) return a;
  const same = a.rule === b.rule && a.labels?.join('\0') === b.labels?.join('\0');
  return { ...a, ...(!same && { rule: 'any', labels: undefined }), members: undefined };
}

/**
 * Makes the configuration of a scalar that passes all values through unchanged. Rowgate has already checked input
 * values, and output comes from Postgres.
 */
export function scalarConfig({ rule, labels, members }: ScalarCheck) {
  return {
    serialize: (value: unknown) => value,
    parseValue: (value: unknown) => value,
    parseLiteral: valueFromASTUntyped,
    extensions: { rowgate: { rule, labels, members } satisfies ScalarCheck },
  };
}
