import type { PgCodec } from 'postgraphile/@dataplan/pg';
import { sql } from 'postgraphile/pg-sql2';

/** What is read of a row of pg_type. */
export interface IntrospectedType {
  readonly oid: string;
  readonly typname: string;
  readonly typtype: string | null;
  readonly typcategory: string | null;
  getNamespace(): { readonly nspname: string } | undefined;
}

/** A codec that passes texts through and knows the schema of its type. */
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
