import type {} from 'postgraphile/graphile-build';
import { GraphQLScalarType, type GraphQLType, getNamedType } from 'postgraphile/graphql';

/**
 * Returns the build object for user-defined plugins. The schema of a role may lack a type that a plugin uses. The
 * plugin then gets a placeholder type, and {@link withoutAbsent} omits the fields that use this placeholder.
 */
export function tolerantOf<B extends GraphileBuild.Build>(
  build: B,
  properties: PropertyDescriptorMap = {},
): B {
  const getTypeByName = (name: string) => build.getTypeByName(name) ?? placeholder(name);
  // The build object is frozen, so an object that inherits from it replaces it.
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

/** Returns the fields whose types exist in the schema. */
export function withoutAbsent<F extends Field>(
  fields: Readonly<Record<string, F>>,
): Record<string, F> {
  const present = Object.entries(fields).filter(([, { type, args }]) =>
    [type, ...Object.values(args ?? {}).map((one) => one.type)].every(
      (one) => !placeholders.has(getNamedType(one)),
    ),
  );
  return Object.fromEntries(present);
}
