import type { Static } from 'typebox';
import type {
  applyAnswer,
  checkAnswer,
  contextAnswer,
  fileAnswer,
  filesAnswer,
  planAnswer,
  testAnswer,
  writeAnswer,
} from '../../../admin/change/bodies.ts';

export type RuleFiles = Static<typeof filesAnswer>;
export type RuleFile = Static<typeof fileAnswer>;
export type CheckedDrafts = Static<typeof checkAnswer>;
export type TestedDrafts = Static<typeof testAnswer>;
export type ApplyPlan = Static<typeof planAnswer>;
export type AppliedPlan = Static<typeof applyAnswer>;
export type WrittenFile = Static<typeof writeAnswer>;
export type RuleContext = Static<typeof contextAnswer>;
export type Mistakes = Extract<CheckedDrafts, { readonly kind: 'mistaken' }>;
export type Finding = Mistakes['mistakes'][number];
export type Difference = NonNullable<
  Extract<CheckedDrafts, { readonly kind: 'checked' }>['difference']
>;
