import type {} from 'postgraphile/graphile-build';
import type { GraphQLFieldConfig } from 'postgraphile/graphql';
import type { TableView } from '../view/table-view.ts';
import type { Dialect } from './dialect-plugin.ts';

/** The fields of a root type by name. Each is made only when it is needed. */
export type RootFields = ReadonlyMap<string, () => GraphQLFieldConfig<unknown, unknown>>;

/** The fields of the root types. */
export interface Roots {
  readonly query: RootFields;
  readonly mutation: RootFields;
  readonly subscription?: RootFields;
}

/** Types and fields of the dialect. */
export interface Definitions {
  /** Registers types that do not belong to one table. */
  readonly types?: (build: GraphileBuild.Build) => void;
  /** Registers types of one table. Their names begin with the name of the table. */
  readonly tableTypes?: (build: GraphileBuild.Build, table: TableView) => void;
  readonly roots?: (dialect: Dialect) => Roots;
}

/** A part of the dialect, for PostGraphile as a plugin and for the schema that makes types on demand. */
export interface DialectPart extends Definitions {
  readonly plugin: GraphileConfig.Plugin;
}

/** @param before names of plugins that run after this one, and replace its fields of the same name */
export function makePart(
  name: string,
  definitions: Definitions,
  before: string[] = [],
): DialectPart {
  const { types, tableTypes, roots } = definitions;
  const plugin: GraphileConfig.Plugin = {
    name,
    version: '1.0.0',
    after: ['DialectPlugin'],
    before,
    schema: {
      hooks: {
        init(_, build) {
          types?.(build);
          if (!tableTypes) return _;
          for (const table of build.rowgate.view.tables.values()) tableTypes(build, table);
          return _;
        },
        GraphQLObjectType_fields(fields, build, { scope }) {
          const operation = rootOperation(scope);
          if (!roots || !operation) return fields;
          const own = roots(build.rowgate)[operation] ?? noFields;
          const made = [...own].map(([key, make]) => [key, make()]);
          return Object.assign({}, fields, Object.fromEntries(made));
        },
      },
    },
  };
  return { ...definitions, plugin };
}

function rootOperation(scope: GraphileBuild.ScopeObject): keyof Roots | undefined {
  if (scope.isRootQuery) return 'query';
  if (scope.isRootMutation) return 'mutation';
  return scope.isRootSubscription ? 'subscription' : undefined;
}

export const noFields: RootFields = new Map();
