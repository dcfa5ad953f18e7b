import type {} from 'postgraphile/graphile-build';
import type {} from 'postgraphile/graphile-build-pg';

interface NamedInSchema {
  readonly pgNamespace: { readonly nspname: string };
}

/** Keeps tables and types of one name in different schemas apart in the registry, and names the root types as Hasura does. */
export const UniqueNamesPlugin: GraphileConfig.Plugin = {
  name: 'UniqueNamesPlugin',
  version: '1.0.0',
  inflection: {
    replace: {
      builtin(previous, _options, name) {
        return ROOT_TYPES[name] ?? previous?.(name) ?? name;
      },
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

const ROOT_TYPES: Readonly<Record<string, string>> = {
  Query: 'query_root',
  Mutation: 'mutation_root',
  Subscription: 'subscription_root',
};
