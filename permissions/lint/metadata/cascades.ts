import { type Catalog, tableKey } from '../../catalog/catalog.ts';
import type { CatalogForeignKey, CatalogTable } from '../../catalog/types.ts';
import type { Report } from '../../diagnostics.ts';
import type { LoadedModel } from '../../model/load-model.ts';
import type { RoleModel, TablePermissions } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';

interface Subject {
  readonly loaded: LoadedModel;
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly rules: TablePermissions;
  readonly report: Report;
}

const actions: Readonly<Record<string, string>> = {
  n: 'set to null',
  d: 'set to a default',
};
const deletions: Readonly<Record<string, string>> = { ...actions, c: 'deleted' };
const changes: Readonly<Record<string, string>> = { ...actions, c: 'changed along' };

/**
 * Reports foreign keys whose actions (e.g. `on delete cascade`) change rows that the role itself may not change.
 * Postgres runs these actions as the owner of the table, so no policy stops them.
 */
export function cascades({ loaded, role, table, rules, report }: Subject): void {
  for (const { other, key } of referencesTo(loaded.catalog).get(table.key) ?? []) {
    const may = role.tables.get(tableKey(other.schema, other.name));
    for (const { position, verb, done } of writesOf(rules, key)) {
      if (done === 'deleted' ? may?.delete : may?.update) continue;
      report.warning(
        'RG_FK_ACTION',
        position,
        `when ${role.name} ${verb} ${table.schema}.${table.name}, rows of ${other.schema}.${other.name} are ${done}, for which it has no rule`,
        `foreign key "${key.name}" runs as the owner`,
      );
    }
  }
}

/** A foreign key, and the table that has it. */
interface ForeignKey {
  readonly other: CatalogTable;
  readonly key: CatalogForeignKey;
}

const known = new WeakMap<Catalog, ReadonlyMap<TableKey, readonly ForeignKey[]>>();

/** Returns the foreign keys of all tables by the table to which they refer. */
function referencesTo(catalog: Catalog): ReadonlyMap<TableKey, readonly ForeignKey[]> {
  const found = known.get(catalog);
  if (found) return found;
  const keys = catalog.data.tables.flatMap((other) =>
    other.foreignKeys.map((key) => ({ other, key })),
  );
  const made = Map.groupBy(keys, ({ key }) => key.table);
  known.set(catalog, made);
  return made;
}

interface Write {
  readonly position: TableModel['position'];
  readonly verb: string;
  /** Describes, for messages, how the action changes the rows that refer to the changed row. */
  readonly done: string;
}

function writesOf(
  { delete: deletion, update }: TablePermissions,
  key: CatalogForeignKey,
): readonly Write[] {
  const deleted = deletions[key.onDelete];
  const changed = changes[key.onUpdate];
  const written = [...(update?.columns ?? []), ...(update?.presets ?? []).map((one) => one.column)];
  const writesKey = key.remoteColumns.some((column) => written.includes(column));
  return [
    ...(deletion && deleted
      ? [{ position: deletion.position, verb: 'deletes from', done: deleted }]
      : []),
    ...(update && changed && writesKey
      ? [{ position: update.position, verb: 'changes a key of', done: changed }]
      : []),
  ];
}
