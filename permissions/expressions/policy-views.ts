import { digest, policySchema } from '../text/object-names.ts';
import { ident, join, qualified, type SqlText, sql } from '../text/sql-text.ts';
import type { TableKey } from '../types/names.ts';
import type { TableModel } from '../types/tables.ts';

/** A view that only policies read: the keys of rows that satisfy a condition, or columns to compare with. */
export interface PolicyView {
  readonly name: string;
  readonly query: SqlText;
  readonly table: TableModel;
}

interface ViewBody {
  readonly table: TableModel;
  readonly alias: SqlText;
  readonly columns: readonly { readonly name: string; readonly value: SqlText }[];
  readonly where: SqlText | undefined;
  /** Columns of the table that the view reads anywhere. */
  readonly reads: Iterable<string>;
}

/** Gathers the views that expressions need; equal ones are one. Inner views come before those that read them. */
export class PolicyViews {
  readonly #views = new Map<string, PolicyView>();
  readonly #reads = new Map<TableKey, Set<string>>();

  /** Registers a view and returns its qualified name. */
  add(body: ViewBody): PolicyView {
    const columns = body.columns.map((one) => sql`${one.value} as ${ident(one.name)}`);
    const where = body.where ? sql` where ${body.where}` : sql``;
    const query = sql`select ${join(columns, ', ')} from ${qualified(body.table)} as ${body.alias}${where}`;
    const name = `v_${digest(query.text)}`;
    const known = this.#views.get(name);
    if (known) return known;
    const view = { name, query, table: body.table };
    this.#views.set(name, view);
    this.read(body.table, body.reads);
    return view;
  }

  /** Notes columns that the owner of the views reads, in a view or elsewhere. */
  read(table: TableModel, columns: Iterable<string>): void {
    const reads = this.#reads.get(table.key) ?? new Set();
    for (const column of columns) reads.add(column);
    this.#reads.set(table.key, reads);
  }

  get all(): readonly PolicyView[] {
    return [...this.#views.values()];
  }

  /** Per table, the columns that the owner of the views must be able to read. */
  get reads(): ReadonlyMap<TableKey, ReadonlySet<string>> {
    return this.#reads;
  }
}

export function viewName(view: PolicyView): SqlText {
  return qualified({ schema: policySchema, name: view.name });
}
