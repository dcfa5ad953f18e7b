import type {} from 'postgraphile/graphile-build';

/** Hasura's names of the root types. */
export const rootTypeNames = {
  Query: 'query_root',
  Mutation: 'mutation_root',
  Subscription: 'subscription_root',
} as const;

const names: ReadonlyMap<string, string> = new Map(Object.entries(rootTypeNames));

/** Names the root types as Hasura does. */
export const RootTypeNamesPlugin: GraphileConfig.Plugin = {
  name: 'RootTypeNamesPlugin',
  version: '1.0.0',
  inflection: {
    replace: {
      builtin(previous, _options, name) {
        return names.get(name) ?? previous?.(name) ?? name;
      },
    },
  },
};
