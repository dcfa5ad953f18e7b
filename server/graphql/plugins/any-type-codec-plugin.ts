import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import { sql } from 'postgraphile/pg-sql2';

/** What {@link AnyTypeCodecPlugin} reads of a row of pg_type. */
interface IntrospectedType {
  readonly oid: string;
  readonly typname: string;
  readonly typtype: string | null;
  readonly typelem: string | null;
  readonly typcategory: string | null;
  getNamespace(): { readonly nspname: string } | undefined;
}

/**
 * Gives every base type outside pg_catalog (citext, ltree, hstore …) a text codec that knows its schema.
 * The stock plugins drop the columns of types they do not know and name citext without its schema.
 */
export const AnyTypeCodecPlugin: GraphileConfig.Plugin = {
  name: 'AnyTypeCodecPlugin',
  version: '1.0.0',
  before: ['PgCodecsPlugin'],
  gather: {
    hooks: {
      async pgCodecs_findPgCodec(_info, event) {
        const type = event.pgType as unknown as IntrospectedType;
        const schema = type.getNamespace()?.nspname;
        if (event.pgCodec || schema === undefined || schema === 'pg_catalog') return;
        if (type.typtype !== 'b' || type.typcategory === 'A') return;
        event.pgCodec = textCodec(event.serviceName, schema, type);
      },
    },
  },
};

function textCodec(serviceName: string, schemaName: string, type: IntrospectedType) {
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
