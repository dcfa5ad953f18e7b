import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';

type Named = { readonly getNamespace: () => { readonly nspname: string } | undefined };

/** Returns a key that is unique among tables and among types, however similar their names are. */
function key(object: Named, name: string): string {
  return JSON.stringify([object.getNamespace()?.nspname, name]);
}

/**
 * Gives tables and types in the registry unique names. PostGraphile's own names are meant for people: they are equal
 * for `Mood` and `mood`, or for tables of the same name in two schemas, and then reading fails.
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
