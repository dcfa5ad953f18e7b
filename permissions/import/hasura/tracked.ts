import type { ImportedRelationship } from './imported.ts';

/** An imported relationship. `target` is set only if Hasura's metadata names the table. */
export interface TrackedRelationship extends ImportedRelationship {
  readonly target: string | undefined;
  /** The columns of the foreign key that it goes along: its own table's where no target is given, else the target's. */
  readonly key?: readonly string[];
}
