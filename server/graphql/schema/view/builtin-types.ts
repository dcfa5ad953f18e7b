/** Numbers among Postgres's own types. */
export const numberTypes = ['int2', 'int4', 'int8', 'float4', 'float8', 'numeric'] as const;

/** Texts among them. */
export const textTypes = ['text', 'varchar', 'bpchar'] as const;

/** Moments, days and spans of time. */
export const timeTypes = [
  ...['date', 'time', 'timetz', 'timestamp', 'timestamptz', 'interval'],
] as const;
