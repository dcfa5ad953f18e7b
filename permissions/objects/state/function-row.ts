import type { HashedRow } from './rendered-hash.ts';

/** A function of schemas rowgate_policy and rowgate_api as a query selects it. */
export interface FunctionRow extends HashedRow {
  readonly schema: string;
  readonly name: string;
  readonly signature: string;
  /** Its rendered signature with the schema. */
  readonly target: string;
  readonly owner: string;
  /** Whether the owner of schema rowgate owns it. */
  readonly isOurs: boolean;
}
