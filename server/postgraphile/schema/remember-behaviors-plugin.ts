import type {} from 'postgraphile/graphile-build';

type Behavior = GraphileBuild.Build['behavior'];

/**
 * Computes only once per schema whether a behavior of an entity matches a filter. graphile-build parses its whole
 * registry of behaviors again for each column, relation and order of each table, which takes most of the time of
 * building a schema.
 */
export const rememberBehaviorsPlugin: GraphileConfig.Plugin = {
  name: 'RowgateRememberBehaviorsPlugin',
  version: '1.0.0',
  schema: {
    hooks: {
      build(build) {
        let behavior: Behavior;
        // graphile-build sets this property after the hooks, and then freezes the build.
        return Object.defineProperty(build, 'behavior', {
          enumerable: true,
          get: () => behavior,
          set(created: Behavior) {
            behavior = remembering(created);
          },
        });
      },
    },
  },
};

/** Replaces `entityMatches`, which all methods such as `pgCodecMatches` call. */
function remembering(behavior: Behavior): Behavior {
  const compute = behavior.entityMatches.bind(behavior) as Behavior['entityMatches'];
  const results = new Map<string, Map<string, boolean | undefined>>();
  behavior.entityMatches = (entityType, entity, filter) => {
    const { behaviorString } = behavior.getBehaviorForEntity(entityType, entity);
    const question = `${entityType} ${filter}`;
    const known = results.get(question) ?? new Map<string, boolean | undefined>();
    results.set(question, known);
    if (!known.has(behaviorString)) known.set(behaviorString, compute(entityType, entity, filter));
    return known.get(behaviorString);
  };
  return behavior;
}
