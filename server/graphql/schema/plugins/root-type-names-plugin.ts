import type {} from 'postgraphile/graphile-build';

const ROOT_TYPES: Readonly<Record<string, string>> = {
  Query: 'query_root',
  Mutation: 'mutation_root',
  Subscription: 'subscription_root',
};

/** Names the root types as Hasura does. */
export const RootTypeNamesPlugin: GraphileConfig.Plugin = {
  name: 'RootTypeNamesPlugin',
  version: '1.0.0',
  inflection: {
    replace: {
      builtin(previous, _options, name) {
        return ROOT_TYPES[name] ?? previous?.(name) ?? name;
      },
    },
  },
};
