import type { GraphQLField, GraphQLNamedType } from 'postgraphile/graphql';
import type { ExtensionRelationship, Model } from '../../../../permissions/index.ts';
import type { Registry } from '../registry/read-registry.ts';
import type { ScalarRule } from './scalar.ts';

/** A root field of an extension (a PostGraphile plugin or an action), as PostGraphile's own schema defines it. */
export interface ExtensionRootField {
  readonly field: GraphQLField<unknown, unknown>;
  readonly roles: ReadonlySet<string>;
  /**
   * True if the field may run SQL statements. It may then read any table of the role, so all session variables of the
   * role are required.
   */
  readonly usesDatabase: boolean;
  /** Maximum milliseconds that the field may wait for services other than Postgres. */
  readonly waitMs: number;
}

/** The additions of extensions to Hasura's dialect, for all roles together. */
export interface ExtensionCatalog {
  readonly queries: ReadonlyMap<string, ExtensionRootField>;
  readonly mutations: ReadonlyMap<string, ExtensionRootField>;
  /** Types that the root fields use, by name: types of plugins, and PostGraphile's scalars. */
  readonly types: ReadonlyMap<string, GraphQLNamedType>;
  /** Maps the name of a PostGraphile scalar to Hasura's. */
  readonly scalars: ReadonlyMap<string, HasuraScalar>;
  /** Maps the name of a Hasura scalar to PostGraphile's. */
  readonly stockNames: ReadonlyMap<string, string>;
  /** Maps schema coordinates to the names of {@link furtherScalars} that they use. */
  readonly scalarNames: ReadonlyMap<string, string>;
  readonly relationships: readonly ExtensionRelationship[];
  /** Maximum extension fields of one operation, since each field takes time to plan. */
  readonly maxFields: number;
}

/**
 * Finds the fields and types that extensions add to the dialect of a model.
 * @throws MetadataError
 */
export type FindExtensions = (of: {
  readonly model: Model;
  readonly registry: Registry;
  /** URL of any login, since only the catalogs are read. */
  readonly databaseUrl: string;
}) => Promise<ExtensionCatalog | undefined>;

/** The scalar of Hasura's dialect that replaces a scalar of PostGraphile. */
export interface HasuraScalar {
  readonly name: string;
  readonly rule: ScalarRule;
}

/** PostGraphile's scalars, by the names that its naming functions use, with their replacements in Hasura's dialect. */
export const hasuraScalars: Readonly<Record<string, HasuraScalar>> = {
  BigFloat: { name: 'numeric', rule: 'number' },
  BigInt: { name: 'bigint', rule: 'number' },
  Date: { name: 'date', rule: 'any' },
  Datetime: { name: 'timestamptz', rule: 'any' },
  JSON: { name: 'jsonb', rule: 'json' },
  Time: { name: 'time', rule: 'any' },
  UUID: { name: 'uuid', rule: 'any' },
};

/**
 * Scalars of Hasura's dialect without a counterpart in PostGraphile, with the scalar that PostGraphile accepts instead.
 */
export const furtherScalars: Readonly<
  Record<string, { readonly stock: string; readonly rule: ScalarRule }>
> = {
  float8: { stock: 'Float', rule: 'float' },
  json: { stock: 'JSON', rule: 'json' },
  smallint: { stock: 'Int', rule: 'integer' },
  timestamp: { stock: 'Datetime', rule: 'any' },
  timetz: { stock: 'Time', rule: 'any' },
};
