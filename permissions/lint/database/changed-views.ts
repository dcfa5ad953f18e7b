import type { CatalogTable } from '../../catalog/types.ts';
import { makeViewModel } from '../../model/tables/view-model.ts';
import type { TableModel } from '../../types/tables.ts';
import type { DatabaseRule } from '../inspection.ts';

/**
 * Reports user-defined views that were replaced since their rules were applied: by a table, by a view that runs with
 * other rights, or by a view for which Postgres ignores the check options of generated views above it. The applied
 * rules then no longer protect the rows. The lint compares the model with the database, as a running gateway does.
 */
export const changedViews: DatabaseRule = async ({ seen, report }) => {
  const { model, catalog } = seen.loaded;
  for (const table of model.tables.values()) {
    const found = catalog.tables.get(table.key);
    const changes = table.view && found ? changesOf(table, found) : [];
    for (const change of changes) {
      report.error(
        'RG_VIEW',
        table.position,
        `${table.schema}.${table.name} ${change}`,
        'put it right, or apply the metadata again',
      );
    }
  }
};

function changesOf(table: TableModel, found: CatalogTable): readonly string[] {
  const { view } = table;
  if (!view || !found.view) return ['is a view no longer'];
  const now = makeViewModel(found.view);
  if (now.isInvoker !== view.isInvoker) {
    return [`reads with the rights of ${now.isInvoker ? 'its reader' : 'its owner'} now`];
  }
  const lost = (['insertable', 'updatable', 'deletable'] as const).filter(
    (able) => view[able] && !now[able],
  );
  return lost.map((able) => `is ${able} no longer, or only around the checks of its rules`);
}
