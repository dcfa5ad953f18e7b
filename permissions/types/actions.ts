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

/** A field of an object type that returns rows of a table. */
export interface TypeRelationship {
  readonly name: string;
  readonly kind: 'object' | 'array';
  readonly table: TableKey;
  /** Pairs of a field of the type and the table column that equals it; at least one. */
  readonly mapping: readonly { readonly field: string; readonly column: string }[];
  readonly description: string | undefined;
}

/** A type that actions.yaml declares under custom_types. */
export type CustomType = {
  readonly name: string;
  readonly description: string | undefined;
  readonly position: Position;
} & (
  | {
      readonly kind: 'object';
      /** The fields by name, in the order of the file. */
      readonly fields: ReadonlyMap<string, TypedName>;
      readonly relationships: readonly TypeRelationship[];
    }
  | { readonly kind: 'input'; readonly fields: ReadonlyMap<string, TypedName> }
  /** The enum's values, each with its description. */
  | { readonly kind: 'enum'; readonly values: ReadonlyMap<string, string | undefined> }
  | { readonly kind: 'scalar' }
);

/** A root field that a handler answers over HTTP. */
export interface Action {
  /**
   * The name of the root field. For an asynchronous action, it is also the name of the query field and type of its
   * outcome.
   */
  readonly name: string;
  readonly type: 'query' | 'mutation';
  readonly isAsynchronous: boolean;
  readonly description: string | undefined;
  readonly arguments: readonly TypedName[];
  readonly outputType: TypeReference;
  /**
   * The handler's address: a `/path` on this server or `http(s)://…`. `{{NAME}}` stands for an environment variable.
   */
  readonly handler: string;
  /** Headers sent to the handler. `{{NAME}}` in a value stands for an environment variable. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Client headers that are forwarded to the handler, in lower case. */
  readonly forwardClientHeaders: readonly string[];
  /** The timeout applies to all actions; the retries only to asynchronous actions. */
  readonly retry: Retry;
  /** Roles that may call the action, inheriting roles and admin included. */
  readonly roles: ReadonlySet<string>;
  readonly position: Position;
}
