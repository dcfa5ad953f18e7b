import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import { type IntrospectedType, textCodec } from './text-codec.ts';

/**
 * Provides a text codec for every base and multirange type that no other plugin knows. Otherwise PostGraphile would
 * omit the columns of such types.
 */
export const AnyTypeCodecPlugin: GraphileConfig.Plugin = {
  name: 'AnyTypeCodecPlugin',
  version: '1.0.0',
  after: ['PgCodecsPlugin'],
  gather: {
    hooks: {
      async pgCodecs_findPgCodec(_info, event) {
        const type = event.pgType as unknown as IntrospectedType;
        const isPlain = type.typtype === 'm' || (type.typtype === 'b' && type.typcategory !== 'A');
        if (!event.pgCodec && isPlain) event.pgCodec = textCodec(event.serviceName, type);
      },
    },
  },
};

/**
 * Provides codecs with a schema for base types outside pg_catalog. PostGraphile's own codec for citext has no schema.
 */
export const ExtensionTypeCodecPlugin: GraphileConfig.Plugin = {
  name: 'ExtensionTypeCodecPlugin',
  version: '1.0.0',
  before: ['PgCodecsPlugin'],
  gather: {
    hooks: {
      async pgCodecs_findPgCodec(_info, event) {
        const type = event.pgType as unknown as IntrospectedType;
        if (event.pgCodec || type.getNamespace()?.nspname === 'pg_catalog') return;
        if (type.typtype !== 'b' || type.typcategory === 'A') return;
        event.pgCodec = textCodec(event.serviceName, type);
      },
    },
  },
};
