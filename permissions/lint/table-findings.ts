import type pg from 'pg';
import type { Diagnostic } from '../diagnostics.ts';
import type { Seen } from '../plan/prepare.ts';
import { type DatabaseRule, followRules } from './inspection.ts';
import { enumRows } from './table/enum-rows.ts';
import { duplicateIndexes, foreignKeyIndexes } from './table/indexes.ts';
import { primaryKeys } from './table/primary-keys.ts';
import { remainingStatistics, revealingEstimates } from './table/revealing-estimates.ts';
import { revealingKeys } from './table/revealing-keys.ts';
import { possibleUpserts } from './table/revealing-upserts.ts';

const rules: readonly DatabaseRule[] = [
  primaryKeys,
  enumRows,
  foreignKeyIndexes,
  duplicateIndexes,
  revealingKeys,
  possibleUpserts,
  revealingEstimates,
  remainingStatistics,
];

/** Returns findings about tables with rules: those that make access slow, and those that reveal hidden values. */
export async function tableFindings(
  client: pg.ClientBase,
  seen: Seen,
): Promise<readonly Diagnostic[]> {
  return followRules(rules, client, seen);
}
