import type {} from 'postgraphile/graphile-build';

declare global {
  namespace GraphileBuild {
    interface SchemaOptions {
      /** Root fields of the user's plugins that the schema has; it leaves out all others. */
      rowgateOpenFields?: ReadonlySet<string>;
      /** Gets the name of every root field that the user's plugins add. */
      rowgateFoundFields?: Set<string>;
    }
  }
}

type Hooks = NonNullable<NonNullable<GraphileConfig.Plugin['schema']>['hooks']>;
type FieldsHook = NonNullable<Hooks['GraphQLObjectType_fields']>;
type FieldsCallback = Extract<FieldsHook, (...args: never[]) => unknown>;
type OneFieldsHook = Exclude<FieldsHook, readonly unknown[]>;

/** Closes the root fields of a plugin that is not PostGraphile's own: no rule says who may use them. */
export function guardRootFields(plugin: GraphileConfig.Plugin): GraphileConfig.Plugin {
  const hook = plugin.schema?.hooks?.GraphQLObjectType_fields;
  if (!hook) return plugin;
  const close = (one: OneFieldsHook): OneFieldsHook =>
    typeof one === 'function' ? closing(one) : { ...one, callback: closing(one.callback) };
  const guarded = Array.isArray(hook) ? hook.map(close) : close(hook as OneFieldsHook);
  const hooks: Hooks = { ...plugin.schema?.hooks, GraphQLObjectType_fields: guarded as FieldsHook };
  return { ...plugin, schema: { ...plugin.schema, hooks } };
}

function closing(callback: FieldsCallback): FieldsCallback {
  return (fields, build, context) => {
    // Plugins add to the fields in place.
    const before = { ...fields };
    const result = callback(fields, build, context);
    const { isRootQuery, isRootMutation, isRootSubscription } = context.scope;
    if (!isRootQuery && !isRootMutation && !isRootSubscription) return result;
    const { rowgateOpenFields: open, rowgateFoundFields: found } = build.options;
    const kept = Object.entries(result).filter(([name, field]) => {
      if (before[name] === field) return true;
      found?.add(name);
      return open?.has(name) === true;
    });
    return Object.fromEntries(kept);
  };
}
