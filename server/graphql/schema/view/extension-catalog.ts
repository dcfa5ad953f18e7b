import type { GraphQLField, GraphQLNamedType } from 'postgraphile/graphql';
import type { ExtensionRelationship, Model } from '../../../../permissions/index.ts';
import type { Registry } from '../registry/read-registry.ts';
import type { ScalarRule } from './scalar.ts';

/** A root field of an extension, as stock PostGraphile has it. */
export interface ExtensionRootField {
  readonly field: GraphQLField<unknown, unknown>;
  readonly roles: ReadonlySet<string>;
  /** Whether it may run statements. */
  readonly usesDatabase: boolean;
  /** How long it may wait for what is not Postgres, in milliseconds. */
  readonly waitMs: number;
}

/** What extensions add to Hasura's dialect, for all roles together. */
export interface ExtensionCatalog {
  readonly queries: ReadonlyMap<string, ExtensionRootField>;
  readonly mutations: ReadonlyMap<string, ExtensionRootField>;
  /** Types that the root fields lead to, by name: those of plugins, and PostGraphile's scalars. */
  readonly types: ReadonlyMap<string, GraphQLNamedType>;
  /** Maps the name of a PostGraphile scalar to Hasura's. */
  readonly scalars: ReadonlyMap<string, HasuraScalar>;
  /** Maps the name of a Hasura scalar to PostGraphile's. */
  readonly stockNames: ReadonlyMap<string, string>;
  /** Names of {@link furtherScalars}, by the schema coordinates that have them. */
  readonly scalarNames: ReadonlyMap<string, string>;
  readonly relationships: readonly ExtensionRelationship[];
  /** Fields that one operation may ask of extensions: each is planned. */
  readonly maxFields: number;
}

/** Finds what extensions add to the dialect of a model. @throws MetadataError */
export type FindExtensions = (of: {
  readonly model: Model;
  readonly registry: Registry;
  /** Of any login: the catalogs alone are read. */
  readonly databaseUrl: string;
}) => Promise<ExtensionCatalog | undefined>;

/** The scalar of Hasura's dialect that stands for one of PostGraphile's. */
export interface HasuraScalar {
  readonly name: string;
  readonly rule: ScalarRule;
}

/** PostGraphile's scalars, by the names that inflection gets, and what Hasura's dialect calls them. */
export const hasuraScalars: Readonly<Record<string, HasuraScalar>> = {
  BigFloat: { name: 'numeric', rule: 'number' },
  BigInt: { name: 'bigint', rule: 'number' },
  Date: { name: 'date', rule: 'any' },
  Datetime: { name: 'timestamptz', rule: 'any' },
  JSON: { name: 'jsonb', rule: 'json' },
  Time: { name: 'time', rule: 'any' },
  UUID: { name: 'uuid', rule: 'any' },
};

/** Scalars of Hasura's dialect that PostGraphile has no own ones for, by name, and what it takes instead. */
export const furtherScalars: Readonly<
  Record<string, { readonly stock: string; readonly rule: ScalarRule }>
> = {
  float8: { stock: 'Float', rule: 'float' },
  json: { stock: 'JSON', rule: 'json' },
  smallint: { stock: 'Int', rule: 'integer' },
  timestamp: { stock: 'Datetime', rule: 'any' },
  timetz: { stock: 'Time', rule: 'any' },
};
