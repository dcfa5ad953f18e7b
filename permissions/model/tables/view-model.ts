import type { CatalogView } from '../../catalog/types.ts';
import type { ViewModel } from '../../types/tables.ts';

/**
 * Returns the facts about a view that its rules need. A security_invoker view counts as not writable, because clients
 * can write the tables below it instead, and their rules apply.
 */
export function makeViewModel({
  invoker: isInvoker,
  insertable,
  updatable,
  deletable,
}: CatalogView): ViewModel {
  return {
    isInvoker,
    insertable: insertable && !isInvoker,
    updatable: updatable && !isInvoker,
    deletable: deletable && !isInvoker,
  };
}
