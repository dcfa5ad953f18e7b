import type { Plain } from './imported.ts';
import { type Cursor, field, required, text } from './input/cursor.ts';

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** Reads the name of a table in Hasura's form: a name in the schema public, or `{ schema, name }`. */
export function readTableName(cursor: Cursor): TableName {
  if (cursor.node.kind !== 'map') return { schema: 'public', name: text(cursor) };
  const schema = field(cursor, 'schema');
  return { schema: schema ? text(schema) : 'public', name: text(required(cursor, 'name')) };
}

/** Returns a key that is unique for each table. */
export function tableKey({ schema, name }: TableName): string {
  return JSON.stringify([schema, name]);
}

/** Returns the name of a table for output, e.g. `public.author`. */
export function tableLabel({ schema, name }: TableName): string {
  return `${schema}.${name}`;
}

/**
 * Returns the name of a table for Rowgate's files: `author`, `billing.invoice`, or `{ schema, name }` when a name
 * contains a dot.
 */
export function tableNode({ schema, name }: TableName): Plain {
  if (schema.includes('.') || name.includes('.') || schema === '' || name === '')
    return new Map([
      ['schema', schema],
      ['name', name],
    ]);
  return schema === 'public' ? name : `${schema}.${name}`;
}
