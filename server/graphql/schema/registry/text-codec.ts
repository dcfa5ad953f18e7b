import type { PgCodec } from 'postgraphile/@dataplan/pg';
import { sql } from 'postgraphile/pg-sql2';

/** The columns of pg_type that this file uses. */
export interface IntrospectedType {
  readonly oid: string;
  readonly typname: string;
  readonly typtype: string | null;
  readonly typcategory: string | null;
  getNamespace(): { readonly nspname: string } | undefined;
}

/** Makes a codec that passes texts through unchanged and knows the schema of its type. */
export function textCodec(serviceName: string, type: IntrospectedType): PgCodec {
  const schemaName = type.getNamespace()?.nspname ?? 'pg_catalog';
  return {
    name: `${schemaName}.${type.typname}`,
    sqlType: sql.identifier(schemaName, type.typname),
    fromPg: (text: string) => text,
    toPg: (value: unknown) => String(value),
    attributes: undefined,
    executor: null,
    extensions: { oid: type.oid, pg: { serviceName, schemaName, name: type.typname } },
  };
}
