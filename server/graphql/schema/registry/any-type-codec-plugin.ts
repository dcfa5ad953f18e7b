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
