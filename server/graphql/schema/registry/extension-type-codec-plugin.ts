import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import { type IntrospectedType, textCodec } from './text-codec.ts';

/** Gives base types outside pg_catalog their schema; the stock plugins name citext without it. */
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
