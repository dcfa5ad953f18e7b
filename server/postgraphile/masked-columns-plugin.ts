import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';
import { type GraphQLOutputType, getNullableType } from 'postgraphile/graphql';
import type { RoleObjects } from './role-objects.ts';

/** Lets columns be null that only some of the rows show a role. */
export function makeMaskedColumnsPlugin(objects: RoleObjects): GraphileConfig.Plugin {
  return {
    name: 'RowgateMaskedColumnsPlugin',
    version: '1.0.0',
    schema: {
      hooks: {
        GraphQLObjectType_fields_field(field, _build, { scope }) {
          const { pgCodec, pgFieldAttribute } = scope;
          const cells = pgCodec && objects.tableOf(pgCodec)?.select.cells;
          if (!pgFieldAttribute || !cells || cells.size === 0) return field;
          const isMasked = [...cells.keys()].some(
            (name) => pgCodec.attributes?.[name] === pgFieldAttribute,
          );
          return isMasked
            ? { ...field, type: getNullableType(field.type) as GraphQLOutputType }
            : field;
        },
      },
    },
  };
}
