import type {} from 'postgraphile/graphile-build';
import { tolerantOf, withoutAbsent } from './absent-types.ts';
import type { OpenFields } from './extension.ts';

declare global {
  namespace GraphileBuild {
    interface SchemaOptions {
      /** The root fields of plugins that the schema contains. All other root fields of plugins are omitted. */
      rowgateOpenFields?: OpenFields;
      /** Collects the name of every root field that plugins add. */
      rowgateFoundFields?: Set<string>;
      /** Collects the name of every type that plugins add. */
      rowgateFoundTypes?: Set<string>;
    }
  }
}

type Hooks = NonNullable<NonNullable<GraphileConfig.Plugin['schema']>['hooks']>;
type HookName = 'GraphQLObjectType_fields' | 'GraphQLInputObjectType_fields' | 'init';
type Hook<Name extends HookName> = NonNullable<Hooks[Name]>;
type OneHook<Name extends HookName> = Exclude<Hook<Name>, readonly unknown[]>;
type Callback<Name extends HookName> = Extract<Hook<Name>, (...args: never[]) => unknown>;

/**
 * Wraps a user-defined plugin so that the schema omits its root fields unless an extension opens them to the role. The
 * wrapper also records the types that the plugin adds, and omits fields whose types do not exist in the schema of a
 * role.
 * @param owner name of the extension that may open the fields
 */
export function closeRootFields(
  plugin: GraphileConfig.Plugin,
  owner: string,
): GraphileConfig.Plugin {
  const {
    GraphQLObjectType_fields: fields,
    GraphQLInputObjectType_fields: inputs,
    init,
  } = plugin.schema?.hooks ?? {};
  if (!fields && !inputs && !init) return plugin;
  const hooks: Hooks = {
    ...plugin.schema?.hooks,
    ...(fields && {
      GraphQLObjectType_fields: wrapped<'GraphQLObjectType_fields'>(fields, closingFor(owner)),
    }),
    ...(inputs && {
      GraphQLInputObjectType_fields: wrapped<'GraphQLInputObjectType_fields'>(inputs, tolerating),
    }),
    ...(init && { init: wrapped<'init'>(init, recordingTypes) }),
  };
  return { ...plugin, schema: { ...plugin.schema, hooks } };
}

function wrapped<Name extends HookName>(
  hook: Hook<Name>,
  wrap: (callback: Callback<Name>) => Callback<Name>,
): Hook<Name> {
  const wrapOne = (one: OneHook<Name>) =>
    typeof one === 'function'
      ? wrap(one as unknown as Callback<Name>)
      : { ...one, callback: wrap((one as { readonly callback: Callback<Name> }).callback) };
  return (Array.isArray(hook) ? hook.map(wrapOne) : wrapOne(hook as OneHook<Name>)) as Hook<Name>;
}

function closingFor(owner: string) {
  return (callback: Callback<'GraphQLObjectType_fields'>): Callback<'GraphQLObjectType_fields'> =>
    (fields, build, context) => {
      // A copy, because a plugin may add its fields to the given object instead of returning a new one.
      const before = { ...fields };
      const result = withoutAbsent(callback(fields, tolerantOf(build), context));
      const { isRootQuery, isRootMutation, isRootSubscription } = context.scope;
      if (!isRootQuery && !isRootMutation && !isRootSubscription) return result;
      const { rowgateOpenFields: openFields, rowgateFoundFields: found } = build.options;
      const open = Object.entries(result).filter(([name, field]) => {
        if (before[name] === field) return true;
        found?.add(name);
        return openFields?.get(name)?.name === owner;
      });
      return Object.fromEntries(open);
    };
}

const REGISTERING = [
  ...['registerObjectType', 'registerInputObjectType', 'registerEnumType'],
  ...['registerScalarType', 'registerInterfaceType', 'registerUnionType'],
] as const;

function tolerating(
  callback: Callback<'GraphQLInputObjectType_fields'>,
): Callback<'GraphQLInputObjectType_fields'> {
  return (fields, build, context) => withoutAbsent(callback(fields, tolerantOf(build), context));
}

function recordingTypes(callback: Callback<'init'>): Callback<'init'> {
  return (value, build, context) => {
    const { rowgateFoundTypes: found } = build.options;
    const properties = REGISTERING.map((name) => {
      const register = Reflect.get(build, name) as (...args: unknown[]) => unknown;
      const record = (type: unknown, ...args: unknown[]) => {
        found?.add(String(type));
        return register(type, ...args);
      };
      return [name, { value: record }];
    });
    return callback(value, tolerantOf(build, Object.fromEntries(properties)), context);
  };
}
