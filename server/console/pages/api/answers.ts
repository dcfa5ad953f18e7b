import type { Static } from 'typebox';
import type { matrixAnswer, ruleAnswer } from '../../../admin/bodies.ts';
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
