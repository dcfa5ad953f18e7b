import type pg from 'pg';
import { type Applied, type ApplyOptions, applyMetadata } from '../apply/apply-metadata.ts';
import type { appliedComparer } from '../diff/compare-applied.ts';
import { MetadataError } from '../errors.ts';
import type { Plan } from '../plan/make-plan.ts';
import type { PrepareOptions } from '../plan/prepare.ts';
import { prepareAsOwner } from '../rights/closed-installation.ts';
import { missingRights } from '../rights/missing-rights.ts';
import type { CommandContext } from './context/command.ts';
import { withSnapshot } from './context/connection.ts';
import { confirmationText, differenceText, wordsOf } from './print/print-difference.ts';
import { locksOf } from './print/print-locks.ts';
import { planText } from './print/print-plan.ts';

/** A plan with the words by which a person confirms it. */
export interface DescribedPlan {
  readonly plan: Plan;
  readonly lines: readonly string[];
  readonly question: string;
}

interface Describing {
  /** Compares the plan with the last apply. */
  readonly compare: ReturnType<typeof appliedComparer>;
}

export interface DescribeOptions extends PrepareOptions, Describing {
  readonly lockSeconds: number;
}

/** Makes the plan, and says what it changes for whom. @throws MetadataError for mistakes and missing rights */
export function describePlan(
  { compare, lockSeconds, ...prepareWith }: DescribeOptions,
  context: Pick<CommandContext, 'connectOwner'>,
): Promise<DescribedPlan> {
  return withSnapshot(context, async (client) => {
    const prepared = await prepareAsOwner(client, prepareWith);
    const missing = await missingRights(client, prepared);
    if (missing.length > 0) throw new MetadataError(missing);
    const { plan } = prepared;
    const locks = { ...locksOf(prepared), heldSeconds: lockSeconds };
    const difference = await compare(client, prepared);
    const lines = [...differenceText(difference, plan), ...planText(plan, locks, { sql: false })];
    return { plan, lines, question: confirmationText(difference) };
  });
}

/** Applies the metadata, and records in the history what that changes for whom. Throws like `applyMetadata`. */
export function applyDescribed(
  client: pg.ClientBase,
  { compare, ...options }: Omit<ApplyOptions, 'describe'> & Describing,
): Promise<Applied> {
  return applyMetadata(client, {
    ...options,
    describe: async (describing, prepared) => wordsOf(await compare(describing, prepared)),
  });
}
