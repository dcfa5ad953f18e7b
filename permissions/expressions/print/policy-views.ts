import { digest, policySchema } from '../../text/object-names.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';

/** Columns of a table that a policy view or function reads, so that its owner must be able to read them. */
export interface TableRead {
  readonly table: TableModel;
  readonly columns: Iterable<string>;
}

/**
 * A generated view that only policies read. A role that sees all rows owns the view. The view shows the keys of rows
 * that satisfy a condition, or columns that a policy compares with.
 */
export interface PolicyView extends TableRead {
  readonly name: string;
  readonly query: SqlText;
  /** Other policy views that the condition of this one reads. */
  readonly below: readonly PolicyView[];
}

interface ViewBody extends TableRead, Pick<PolicyView, 'below'> {
  readonly alias: SqlText;
  readonly shown: readonly { readonly name: string; readonly value: SqlText }[];
  readonly where: SqlText | undefined;
}

/** Creates a policy view. Its name is a digest of the query, so equal queries share one view. */
export function makePolicyView({ table, columns, below, alias, ...body }: ViewBody): PolicyView {
  const shown = body.shown.map((one) => sql`${one.value} as ${ident(one.name)}`);
  const where = body.where ? sql` where ${body.where}` : sql``;
  const query = sql`select ${join(shown, ', ')} from ${qualified(table)} as ${alias}${where}`;
  return { name: `v_${digest(query.text)}`, query, table, columns, below };
}

/**
 * An object that printed SQL needs in the database: a policy view, or the right of the views' owner to read columns.
 */
export type PolicyNeed = PolicyView | TableRead;

/**
 * Returns the policy views among `needs`, and the views that these read. Each view occurs once and after the views that
 * it reads, so the views can be created in this order. `reads` lists, by table, the columns that the owner of the views
 * must be granted.
 */
export function gatherNeeds(needs: Iterable<PolicyNeed>): {
  readonly views: readonly PolicyView[];
  readonly reads: ReadonlyMap<TableKey, ReadonlySet<string>>;
} {
  const views = new Map<string, PolicyView>();
  const reads = new Map<TableKey, Set<string>>();
  const visit = (need: PolicyNeed): void => {
    if ('query' in need) {
      if (views.has(need.name)) return;
      need.below.forEach(visit);
      views.set(need.name, need);
    }
    const columns = reads.get(need.table.key) ?? new Set();
    for (const column of need.columns) columns.add(column);
    reads.set(need.table.key, columns);
  };
  for (const need of needs) visit(need);
  return { views: [...views.values()], reads };
}

export function viewName(view: PolicyView): SqlText {
  return qualified({ schema: policySchema, name: view.name });
}
