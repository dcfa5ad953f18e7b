import type { Position } from '../diagnostics.ts';
import type { Retry } from '../metadata/schemas/webhooks/retry.ts';
import type { TableKey } from './names.ts';

/** A type as GraphQL writes it, e.g. `[Refund!]!`. */
export type TypeReference = { readonly isRequired: boolean } & (
  | { readonly kind: 'list'; readonly item: TypeReference }
  /** A scalar of GraphQL or Postgres, or a type of custom_types. */
  | { readonly kind: 'named'; readonly name: string }
);

/** A field of a type, or an argument of an action. */
export interface TypedName {
  readonly name: string;
  readonly type: TypeReference;
  readonly description: string | undefined;
}

/** A field of an object type that gives rows of a table. */
export interface TypeRelationship {
  readonly name: string;
  readonly kind: 'object' | 'array';
  readonly table: TableKey;
  /** Fields of the type, and the columns of the table that are equal to them; at least one. */
  readonly mapping: readonly { readonly field: string; readonly column: string }[];
  readonly description: string | undefined;
}

/** A type that actions bring along. */
export type CustomType = {
  readonly name: string;
  readonly description: string | undefined;
  readonly position: Position;
} & (
  | {
      readonly kind: 'object';
      /** By name, in the order of the file. */
      readonly fields: ReadonlyMap<string, TypedName>;
      readonly relationships: readonly TypeRelationship[];
    }
  | { readonly kind: 'input'; readonly fields: ReadonlyMap<string, TypedName> }
  /** Values with their descriptions. */
  | { readonly kind: 'enum'; readonly values: ReadonlyMap<string, string | undefined> }
  | { readonly kind: 'scalar' }
);

/** A root field that a handler answers over HTTP. */
export interface Action {
  /** The root field; for an asynchronous action also the query field and type of its outcome. */
  readonly name: string;
  readonly type: 'query' | 'mutation';
  readonly isAsynchronous: boolean;
  readonly description: string | undefined;
  readonly arguments: readonly TypedName[];
  readonly outputType: TypeReference;
  /** `/path` of this platform or `http(s)://…`; may hold `{{NAME}}`, a variable of the environment. */
  readonly handler: string;
  /** Values may hold `{{NAME}}`. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Headers of the client that go along, in lower case. */
  readonly forwardClientHeaders: readonly string[];
  /** Only asynchronous actions are tried again. The timeout holds for all. */
  readonly retry: Retry;
  /** Who may call it, inheriting roles and admin included. */
  readonly roles: ReadonlySet<string>;
  readonly position: Position;
}
