/** Number types of Postgres itself. */
export const numberTypes = ['int2', 'int4', 'int8', 'float4', 'float8', 'numeric'] as const;

/** Text types of Postgres itself. */
export const textTypes = ['text', 'varchar', 'bpchar'] as const;

/** Date and time types of Postgres itself. */
export const timeTypes = [
  ...['date', 'time', 'timetz', 'timestamp', 'timestamptz', 'interval'],
] as const;
