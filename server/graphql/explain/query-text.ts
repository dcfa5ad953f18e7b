import { shownText } from '../../../permissions/index.ts';
import type { FieldExplanation } from './explain-query.ts';
import type { PlanCost } from './plan-facts.ts';
import { planLines } from './plan-lines.ts';

/** Formats the explanation of a query for a terminal. */
export function queryText(fields: readonly FieldExplanation[]): readonly string[] {
  return fields.flatMap(({ field, sql, cost, plan, withoutRules, missingIndexes }) => [
    shownText(`${field}:`),
    ...sql.split('\n').map((line) => shownText(`  ${line}`)),
    `  with the rules: ${costText(cost)}`,
    ...planLines(plan, 2).map(shownText),
    ...(withoutRules
      ? [
          `  without rules: ${costText(withoutRules.cost)}`,
          ...planLines(withoutRules.plan, 2).map(shownText),
        ]
      : ['  without rules: not possible, because the admin role cannot run the query']),
    ...missingIndexes.map(({ schema, table, rows, columns }) =>
      shownText(
        `  ${schema}.${table} is read as a whole (about ${rows} rows), and no index begins with ${columns.join(' or ')}`,
      ),
    ),
  ]);
}

function costText({ estimated, milliseconds, pages }: PlanCost): string {
  const estimate = `estimated cost ${estimated}`;
  return milliseconds === undefined ? estimate : `${estimate}, ${milliseconds} ms, ${pages} pages`;
}
