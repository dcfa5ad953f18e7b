import type { ImportedRelationship } from './imported.ts';

/**
 * An imported relationship. `target` is absent when Hasura's metadata does not name the table that the relationship
 * leads to.
 */
export interface TrackedRelationship extends ImportedRelationship {
  readonly target: string | undefined;
  /**
   * The columns of the foreign key that the relationship follows. They belong to the target table, or, without a
   * target, to the relationship's own table.
   */
  readonly key?: readonly string[];
}
