import type {} from 'postgraphile/graphile-build';
import {
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  isInputType,
  isOutputType,
} from 'postgraphile/graphql';
import type { RoleView } from '../view/role-view.ts';
import type { Scalar } from '../view/scalar.ts';

export type NamedInput = Extract<GraphQLNamedType, import('postgraphile/graphql').GraphQLInputType>;
export type NamedOutput = Extract<
  GraphQLNamedType,
  import('postgraphile/graphql').GraphQLOutputType
>;

/**
 * State that the plugins of the dialect share while they build a schema. Plugins can look up types by name only inside
 * type thunks.
 */
export interface Dialect {
  readonly view: RoleView;
  output(name: string): NamedOutput;
  input(name: string): NamedInput;
  columnOutput(scalar: Scalar): NamedOutput | GraphQLList<GraphQLNonNull<NamedOutput>>;
  columnInput(scalar: Scalar): NamedInput | GraphQLList<NamedInput>;
}

declare global {
  namespace GraphileBuild {
    interface SchemaOptions {
      /** The view of the role that the schema belongs to. */
      rowgateView?: RoleView;
    }
    interface Build {
      rowgate: Dialect;
    }
  }
}

/** Provides the role's view and the type lookup to the other plugins of the dialect. */
export const DialectPlugin: GraphileConfig.Plugin = {
  name: 'DialectPlugin',
  version: '1.0.0',
  schema: {
    hooks: {
      build(build) {
        const view = build.options.rowgateView;
        if (!view) throw new Error('the schema option rowgateView is missing');
        // GraphQL calls type thunks later, when the lookup is defined.
        const find = (name: string) => {
          const type = (build as GraphileBuild.Build).getTypeByName(name);
          if (!type) throw new Error(`the GraphQL type ${name} is not registered`);
          return type;
        };
        return build.extend(build, { rowgate: makeDialect(view, find) }, 'DialectPlugin');
      },
    },
  },
};

/** Makes `[T!]`. */
export function listOf<T extends NamedInput | NamedOutput>(
  type: T,
): GraphQLList<GraphQLNonNull<T>> {
  return new GraphQLList(new GraphQLNonNull(type));
}

/**
 * Makes the shared state.
 * @param find looks up a type by name; throws when no plugin has registered it
 */
export function makeDialect(view: RoleView, find: (name: string) => GraphQLNamedType): Dialect {
  const output = (name: string): NamedOutput => {
    const type = find(name);
    if (!isOutputType(type)) throw new Error(`${name} is no output type`);
    return type;
  };
  const input = (name: string): NamedInput => {
    const type = find(name);
    if (!isInputType(type)) throw new Error(`${name} is no input type`);
    return type;
  };
  return {
    view,
    output,
    input,
    columnOutput: ({ name, isArray }) => (isArray ? listOf(output(name)) : output(name)),
    // Elements are nullable, so that clients may use variables of both `[T]` and `[T!]`.
    columnInput: ({ name, isArray }) => (isArray ? new GraphQLList(input(name)) : input(name)),
  };
}
