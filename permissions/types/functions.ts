import type { Position } from '../diagnostics.ts';
import type { TableKey, VariableName } from './names.ts';
import type { ComputedArgument } from './tables.ts';

/** The root fields of a function, by Hasura's names for them. */
export type FunctionField = 'function' | 'function_aggregate';

/** A database function that is a root field and returns rows of a table. */
export interface FunctionModel {
  /** `schema.name`, as tables are named. */
  readonly key: TableKey;
  /** Name in GraphQL: from the metadata, or derived, e.g. `search`, or `billing_search` outside schema public. */
  readonly name: string;
  readonly function: { readonly schema: string; readonly name: string };
  readonly rootFields: Readonly<Record<FunctionField, string>>;
  /** Description of each root field; undefined if the metadata switches it off. */
  readonly rootDescriptions: Readonly<Record<FunctionField, string | undefined>>;
  /** Whether the function is a root field of queries or of mutations. A mutation has no aggregate field. */
  readonly exposedAs: 'query' | 'mutation';
  /**
   * The rights with which the function runs. `caller`: the rights of the caller. `owner`: the rights of the applier;
   * the role's select rule then filters the returned rows.
   */
  readonly rights: 'caller' | 'owner';
  readonly isVolatile: boolean;
  /** Whether the function is `security definer`, i.e. runs with its owner's rights for every caller. */
  readonly definer: boolean;
  /**
   * Whether the names in the function's body mean the same under every search_path. If not, a caller could make them
   * refer to its own objects.
   */
  readonly pinned: boolean;
  /** Session variables that the function's body names, if the function takes the session as an argument. */
  readonly variables: readonly VariableName[];
  /** Arguments in the order of the function, none of which takes a row. */
  readonly arguments: readonly ComputedArgument[];
  readonly result: { readonly kind: 'rows'; readonly table: TableKey };
  /** Whether the function may return any number of rows; otherwise it returns one row or null. */
  readonly returnsSet: boolean;
  readonly position: Position;
}
