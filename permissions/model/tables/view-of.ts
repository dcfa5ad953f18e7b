import type { CatalogView } from '../../catalog/types.ts';
import type { ViewModel } from '../../types/tables.ts';

/** What rules must know of a view. One that reads with its reader's rights is written by its tables alone. */
export function viewOf({
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
