import type { TableRules } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';

/** The rules of a role that may do everything, as far as the table can be written. */
export function asWritable({ view }: TableModel, rules: TableRules): TableRules {
  if (!view) return rules;
  return {
    select: rules.select,
    insert: view.insertable ? rules.insert : undefined,
    update: view.updatable ? rules.update : undefined,
    delete: view.deletable ? rules.delete : undefined,
  };
}
