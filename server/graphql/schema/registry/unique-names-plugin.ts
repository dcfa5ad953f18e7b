import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';

type Named = { readonly getNamespace: () => { readonly nspname: string } | undefined };

/** No two tables and no two types have the same, however alike their names are. */
function key(object: Named, name: string): string {
  return JSON.stringify([object.getNamespace()?.nspname, name]);
}

/**
 * Names the registry's tables and types exactly as the database does. The usual names are made for people:
 * `Mood` and `mood`, or tables of one name in two schemas, would be the same, and reading would fail.
 */
export const UniqueNamesPlugin: GraphileConfig.Plugin = {
  name: 'UniqueNamesPlugin',
  version: '1.0.0',
  inflection: {
    replace: {
      tableResourceName: (_previous, _options, { pgClass }) => key(pgClass, pgClass.relname),
      classCodecName: (_previous, _options, { pgClass }) => key(pgClass, pgClass.relname),
      typeCodecName: (_previous, _options, { pgType }) => key(pgType, pgType.typname),
    },
  },
};
