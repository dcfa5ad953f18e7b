/** A node of a plan in the JSON format of Postgres, with the members that are read here. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly Schema?: string;
  readonly 'Relation Name'?: string;
  readonly 'Total Cost': number;
  readonly 'Plan Rows': number;
  readonly Filter?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The plan of a statement. */
export interface ExplainedPlan {
  readonly Plan: PlanNode;
  /** Milliseconds; present if the statement ran. */
  readonly 'Execution Time'?: number;
}

/** The cost of a statement. */
export interface PlanCost {
  /** The planner's estimate, in its own unit. */
  readonly estimated: number;
  /** Milliseconds, if the statement ran. */
  readonly milliseconds?: number;
  /** Pages that the statement read, if it ran. */
  readonly pages?: number;
}

export function costOf({ Plan: plan, 'Execution Time': milliseconds }: ExplainedPlan): PlanCost {
  const estimated = plan['Total Cost'];
  if (milliseconds === undefined) return { estimated };
  const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  return { estimated, milliseconds, pages };
}

/** A table that the statement reads from beginning to end to find the rows that pass a filter. */
export interface WholeRead {
  readonly schema: string;
  readonly table: string;
  /** The condition, as Postgres prints it. */
  readonly filter: string;
}

/** Finds the tables that a plan reads as a whole although it needs only some of their rows. */
export function wholeReads(node: PlanNode): readonly WholeRead[] {
  const { Schema: schema, 'Relation Name': table, Filter: filter } = node;
  const isWhole = node['Node Type'] === 'Seq Scan' && schema !== undefined && table !== undefined;
  const own = isWhole && filter !== undefined ? [{ schema, table, filter }] : [];
  return [...own, ...(node.Plans ?? []).flatMap(wholeReads)];
}
