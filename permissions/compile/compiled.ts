import type { Catalog } from '../catalog/catalog.ts';
import type { PolicyNeed } from '../expressions/print/policy-views.ts';
import type { PrintScope } from '../expressions/print/print-comparison.ts';
import type { DesiredObject } from '../objects/state/state-object.ts';

/** Inputs, in addition to the rules, for compiling the rules of one role. */
export interface CompileScope extends PrintScope {
  readonly catalog: Catalog;
  /** Name of the Postgres role that owns the policy views. */
  readonly policyRole: string;
  /** Schemas that PUBLIC may use, so that no role needs a grant on them. */
  readonly openSchemas: ReadonlySet<string>;
}

/**
 * The result of compiling: database objects, and the columns that the owner of the policy views must be able to read
 * for these objects. Both lists are in the order of printing.
 */
export interface Compiled {
  readonly objects: readonly DesiredObject[];
  readonly needs: readonly PolicyNeed[];
}

export const nothing: Compiled = { objects: [], needs: [] };

export function together(parts: readonly Compiled[]): Compiled {
  return {
    objects: parts.flatMap(({ objects }) => objects),
    needs: parts.flatMap(({ needs }) => needs),
  };
}
