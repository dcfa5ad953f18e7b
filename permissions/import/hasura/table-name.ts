import type { Plain } from './imported.ts';
import { type Cursor, field, required, text } from './input/cursor.ts';

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** A table as Hasura writes it: its name, in schema public, or `{ schema, name }`. */
export function readTableName(cursor: Cursor): TableName {
  if (cursor.node.kind !== 'map') return { schema: 'public', name: text(cursor) };
  const schema = field(cursor, 'schema');
  return { schema: schema ? text(schema) : 'public', name: text(required(cursor, 'name')) };
}

/** Equal for equal tables only. */
export function tableKey({ schema, name }: TableName): string {
  return JSON.stringify([schema, name]);
}

/** `public.author`, for people. */
export function tableLabel({ schema, name }: TableName): string {
  return `${schema}.${name}`;
}

/** A table as Rowgate's files name it: `author`, `billing.invoice`, or `{ schema, name }` where names hold dots. */
export function tableNode({ schema, name }: TableName): Plain {
  if (schema.includes('.') || name.includes('.') || schema === '' || name === '')
    return new Map([
      ['schema', schema],
      ['name', name],
    ]);
  return schema === 'public' ? name : `${schema}.${name}`;
}
