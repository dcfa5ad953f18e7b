import type { Static } from 'typebox';
import type {
  peopleAnswer,
  roleAnswer,
  rowsAnswer,
  tableAnswer,
  tryAnswer,
} from '../../../admin/as/as-bodies.ts';
import type { matrixAnswer, queryAnswer, ruleAnswer, schemaAnswer } from '../../../admin/bodies.ts';
import type {
  comparisonAnswer,
  driftAnswer,
  healthAnswer,
} from '../../../admin/health/health-bodies.ts';
import type { historyAnswer } from '../../../admin/health/history-bodies.ts';

export type Matrix = Static<typeof matrixAnswer>;
export type Entry = Matrix['entries'][number];
export type EntryColumn = Entry['columns'][number];
export type Operation = Entry['operation'];
export type ExplainedRule = Static<typeof ruleAnswer>;
export type ExplainedField = Static<typeof queryAnswer>[number];
export type RoleSchema = Static<typeof schemaAnswer>;
export type RoleFacts = Static<typeof roleAnswer>;
export type TableFacts = Static<typeof tableAnswer>;
export type FoundPeople = Static<typeof peopleAnswer>;
export type SeenRows = Static<typeof rowsAnswer>;
export type SeenRow = SeenRows['rows'][number];
export type Tried = Static<typeof tryAnswer>;
export type Health = Static<typeof healthAnswer>;
export type Drift = Static<typeof driftAnswer>;
export type Applies = Static<typeof historyAnswer>;
export type Apply = Applies['applies'][number];
export type ComparedApplies = Static<typeof comparisonAnswer>;

export const operations: readonly Operation[] = ['select', 'insert', 'update', 'delete'];

/** The session of the console. */
export interface Session {
  /** The name that was given when signing in. */
  readonly actor: string;
  /** Whether the server allows changes that last. */
  readonly canWrite: boolean;
  /** The sections of the application; none without an application. */
  readonly sections: readonly { readonly name: string; readonly title: string }[];
}
