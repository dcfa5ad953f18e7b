import type { ImportedRelationship } from './imported.ts';

/** An imported relationship. `target` is set only when Hasura's metadata names the table. */
export interface TrackedRelationship extends ImportedRelationship {
  readonly target: string | undefined;
  /** The columns of its foreign key: of its own table when there is no target, else of the target. */
  readonly key?: readonly string[];
}
