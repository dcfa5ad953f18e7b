/** The built-in scalars of GraphQL. */
export const builtinScalars = ['Boolean', 'Float', 'ID', 'Int', 'String'] as const;

/** Postgres types that actions may use as scalars, by their names in Hasura's dialect. */
export const postgresScalars = [
  ...(['bigint', 'date', 'float8', 'json', 'jsonb', 'numeric', 'smallint'] as const),
  ...(['time', 'timestamp', 'timestamptz', 'timetz', 'uuid'] as const),
] as const;

export type PostgresScalar = (typeof postgresScalars)[number];
export type ActionScalar = (typeof builtinScalars)[number] | PostgresScalar;

const all: ReadonlySet<string> = new Set([...builtinScalars, ...postgresScalars]);

/** Returns whether actions may use a scalar of this name without defining it in custom_types. */
export function isActionScalar(name: string): name is ActionScalar {
  return all.has(name);
}

export const actionScalars: readonly ActionScalar[] = [...builtinScalars, ...postgresScalars];
