/** Scalars of GraphQL itself. */
export const builtinScalars = ['Boolean', 'Float', 'ID', 'Int', 'String'] as const;

/** Types of Postgres that actions may take and give, by the names that they have in Hasura's dialect. */
export const postgresScalars = [
  ...(['bigint', 'date', 'float8', 'json', 'jsonb', 'numeric', 'smallint'] as const),
  ...(['time', 'timestamp', 'timestamptz', 'timetz', 'uuid'] as const),
] as const;

export type PostgresScalar = (typeof postgresScalars)[number];
export type ActionScalar = (typeof builtinScalars)[number] | PostgresScalar;

const all: ReadonlySet<string> = new Set([...builtinScalars, ...postgresScalars]);

/** Whether a name is that of a scalar which no custom_types need to define. */
export function isActionScalar(name: string): name is ActionScalar {
  return all.has(name);
}

export const actionScalars: readonly ActionScalar[] = [...builtinScalars, ...postgresScalars];
