import type { ImportedRelationship } from './imported.ts';

/** A relationship that comes over, and the table that it leads to where Hasura says so. */
export interface TrackedRelationship extends ImportedRelationship {
  readonly target: string | undefined;
  /** The columns of the foreign key that it goes along: its own table's where no target is given, else the target's. */
  readonly key?: readonly string[];
}
