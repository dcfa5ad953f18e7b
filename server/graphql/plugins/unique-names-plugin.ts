import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';

interface NamedInSchema {
  readonly pgNamespace: { readonly nspname: string };
}

/** Keeps tables and types of one name in different schemas apart in the registry. */
export const UniqueNamesPlugin: GraphileConfig.Plugin = {
  name: 'UniqueNamesPlugin',
  version: '1.0.0',
  inflection: {
    replace: {
      _schemaPrefix(_previous, _options, details) {
        const { nspname } = (details as NamedInSchema).pgNamespace;
        return `${nspname.replaceAll('_', '__')}_`;
      },
      tableResourceName(_previous, _options, { pgClass }) {
        return `${pgClass.getNamespace()?.nspname}.${pgClass.relname}`;
      },
    },
  },
};
