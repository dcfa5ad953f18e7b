import type { PlanNode } from './plan-facts.ts';

/** Formats a plan as one line per node, indented by depth. */
export function planLines(node: PlanNode, depth = 0): readonly string[] {
  const { Schema: schema, 'Relation Name': table, Filter: filter } = node;
  const relation =
    table === undefined ? '' : ` on ${schema === undefined ? '' : `${schema}.`}${table}`;
  const where = filter === undefined ? '' : ` where ${filter}`;
  const line = `${'  '.repeat(depth)}${node['Node Type']}${relation}, ${node['Plan Rows']} rows, cost ${node['Total Cost']}${where}`;
  return [line, ...(node.Plans ?? []).flatMap((one) => planLines(one, depth + 1))];
}
