import type { Position } from '../diagnostics.ts';
import type { TableKey, VariableName } from './names.ts';
import type { ComputedArgument } from './tables.ts';

/** The root fields of a function, by Hasura's names for them. */
export type FunctionField = 'function' | 'function_aggregate';

/** A function of the database that is a root field and gives rows of a table. */
export interface FunctionModel {
  /** `schema.name`, as tables are named. */
  readonly key: TableKey;
  /** In GraphQL: the metadata's, else `search`, or `billing_search` outside public. */
  readonly name: string;
  readonly function: { readonly schema: string; readonly name: string };
  readonly rootFields: Readonly<Record<FunctionField, string>>;
  /** The description of each root field; undefined where the metadata wants none. */
  readonly rootDescriptions: Readonly<Record<FunctionField, string | undefined>>;
  /** A mutation has no aggregate. */
  readonly exposedAs: 'query' | 'mutation';
  /** `caller`: it acts with the caller's rights. `owner`: with the applier's, and the role's select rule filters its rows. */
  readonly rights: 'caller' | 'owner';
  readonly isVolatile: boolean;
  /** Whether it acts with the rights of its owner for every caller. */
  readonly definer: boolean;
  /** As of a computed field. */
  readonly pinned: boolean;
  /** Those that its body names, where it takes the session. */
  readonly variables: readonly VariableName[];
  /** In the function's own order; none takes a row. */
  readonly arguments: readonly ComputedArgument[];
  readonly result: { readonly kind: 'rows'; readonly table: TableKey };
  /** Whether it gives any number of rows; else one, or null. */
  readonly returnsSet: boolean;
  readonly position: Position;
}
