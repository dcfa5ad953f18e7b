import type { CatalogForeignKey } from '../../catalog/types.ts';
import type { Report } from '../../diagnostics.ts';
import type { LoadedModel } from '../../model/load-model.ts';
import type { RoleModel, TablePermissions } from '../../types/model.ts';
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
  for (const other of loaded.catalog.data.tables) {
    for (const key of other.foreignKeys) {
      if (key.table !== table.key) continue;
      const reached = [...loaded.model.tables.values()].find(
        (one) => one.schema === other.schema && one.name === other.name,
      );
      const may = reached && role.tables.get(reached.key);
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
