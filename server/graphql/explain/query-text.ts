import { shownText } from '../../../permissions/index.ts';
import type { FieldExplanation } from './explain-query.ts';
import type { PlanCost, PlanNode } from './plan-facts.ts';

/** Formats the explanation of a query for a terminal. */
export function queryText(fields: readonly FieldExplanation[]): readonly string[] {
  return fields.flatMap(({ field, sql, cost, plan, withoutRules, missingIndexes }) => [
    shownText(`${field}:`),
    ...sql.split('\n').map((line) => shownText(`  ${line}`)),
    `  with the rules: ${costText(cost)}`,
    ...planLines(plan, 2),
    ...(withoutRules
      ? [`  without rules: ${costText(withoutRules.cost)}`, ...planLines(withoutRules.plan, 2)]
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

function planLines(node: PlanNode, depth: number): readonly string[] {
  const relation =
    node['Relation Name'] === undefined ? '' : ` on ${node.Schema}.${node['Relation Name']}`;
  const filter = node.Filter === undefined ? '' : ` where ${node.Filter}`;
  const line = `${'  '.repeat(depth)}${node['Node Type']}${relation}, ${node['Plan Rows']} rows${filter}`;
  return [shownText(line), ...(node.Plans ?? []).flatMap((one) => planLines(one, depth + 1))];
}
