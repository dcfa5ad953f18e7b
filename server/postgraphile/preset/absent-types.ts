import type {} from 'postgraphile/graphile-build';
import { GraphQLScalarType, type GraphQLType, getNamedType } from 'postgraphile/graphql';

/**
 * The build as plugins of the user's get it. The schema of a role lacks types that others have: plugins find a
 * placeholder instead, and {@link withoutAbsent} leaves out the fields that are made with one.
 */
export function tolerantOf<B extends GraphileBuild.Build>(
  build: B,
  properties: PropertyDescriptorMap = {},
): B {
  const getTypeByName = (name: string) => build.getTypeByName(name) ?? placeholder(name);
  // The build itself is frozen.
  return Object.create(build, { getTypeByName: { value: getTypeByName }, ...properties });
}

const placeholders = new WeakSet<GraphQLType>();

function placeholder(name: string): GraphQLScalarType {
  const type = new GraphQLScalarType({ name });
  placeholders.add(type);
  return type;
}

/** A field of an object or input type. */
interface Field {
  readonly type: GraphQLType;
  readonly args?: Readonly<Record<string, { readonly type: GraphQLType }>> | undefined;
}

/** The fields whose types the schema has. */
export function withoutAbsent<F extends Field>(
  fields: Readonly<Record<string, F>>,
): Record<string, F> {
  const kept = Object.entries(fields).filter(([, { type, args }]) =>
    [type, ...Object.values(args ?? {}).map((one) => one.type)].every(
      (one) => !placeholders.has(getNamedType(one)),
    ),
  );
  return Object.fromEntries(kept);
}
