import type { Report } from '../../diagnostics.ts';
import type { LoadedModel } from '../../model/load-model.ts';
import type { RoleModel, TablePermissions } from '../../types/model.ts';
import type { Preset } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';

interface Subject {
  readonly loaded: LoadedModel;
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly rules: TablePermissions;
  readonly report: Report;
}

/**
 * Reports presets that have no effect, or too much effect, on partitioned tables. The trigger of the partition that
 * holds a row sets the presets. So a preset comes too late to decide the partition. An update that moves a row to
 * another partition counts as an insert there, so it also sets the presets for new rows, even in columns that the
 * update rule does not change (https://www.postgresql.org/docs/current/trigger-definition.html).
 */
export function partitionPresets({ loaded, role, table, rules, report }: Subject): void {
  const found = loaded.catalog.tables.get(table.key);
  if (!found || found.partitionKey.length === 0) return;
  const { partitionKey, descendants } = found;
  const { insert, update } = rules;
  const name = `${table.schema}.${table.name}`;
  for (const { column } of insert?.presets ?? []) {
    // With a column default, such as now(), the preset is harmless: Postgres puts the row into the same partition, or
    // refuses the row.
    if (!partitionKey.includes(column) || table.columns.get(column)?.hasDefault) continue;
    report.error(
      'RG_BAD_PRESET',
      insert?.position,
      `column "${column}" decides which partition of ${name} a row is in, before ${role.name} can have it set`,
      'give the column a default that leads to the same partition, or list it and let the check compare it',
    );
  }
  const changed = [...(update?.columns ?? []), ...(update?.presets ?? []).map((one) => one.column)];
  if (!changed.some((column) => partitionKey.includes(column))) return;
  const updatePresets = new Set(update?.presets.map(textOf));
  // A trigger of a partitioned table also runs for its partitions, so presets of the tables above count, too.
  const above = [...loaded.catalog.tables]
    .filter(([, one]) => one.partitionKey.length > 0 && one.descendants.includes(table.key))
    .map(([key]) => key);
  for (const key of [...above, table.key, ...descendants]) {
    const entered = role.tables.get(key)?.insert;
    for (const preset of entered?.presets ?? []) {
      if (updatePresets.has(textOf(preset))) continue;
      report.error(
        'RG_BAD_PRESET',
        entered?.position,
        `column "${preset.column}" is set in new rows, and would be in rows of ${name} that ${role.name} moves to another partition`,
        `let the update rule set it alike, or leave ${partitionKey.map((column) => `"${column}"`).join(', ')} out of that`,
      );
    }
  }
}

function textOf({ column, value }: Preset): string {
  return JSON.stringify([column, value]);
}
