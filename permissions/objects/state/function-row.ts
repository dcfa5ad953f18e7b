import type { HashedRow } from './rendered-hash.ts';

/** A function of the schemas rowgate_policy and rowgate_api, as a query returns it. */
export interface FunctionRow extends HashedRow {
  readonly schema: string;
  readonly name: string;
  readonly signature: string;
  /** The printed signature, with the schema. */
  readonly target: string;
  readonly owner: string;
  /** Whether the function belongs to the owner of the schema rowgate. */
  readonly isOurs: boolean;
}
