import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import { type IntrospectedType, textCodec } from './text-codec.ts';

/** Gives every base and multirange type that no plugin knows a text codec; its columns would be dropped. */
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
