import type { Scope } from '../../expressions/resolve/scope.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import { accessPathOf, hasField } from '../computed-fields/computed-access.ts';
import type { InheritingRole } from './inherit-rules.ts';
import type { Sources } from './usable-relationships.ts';

/**
 * Reports computed fields that the parents of a role can read but the role itself cannot. For example, a role that
 * combines rows and columns of several parents may not read the whole row that the function needs.
 */
export function reportUninheritedFields(
  inheritingRole: InheritingRole,
  permissions: ReadonlyMap<TableKey, TablePermissions>,
  sources: Sources,
  { tables, report }: Scope,
): void {
  for (const [key, above] of sources) {
    const table = tables.get(key);
    const rules = permissions.get(key);
    if (!table || !rules?.select) continue;
    for (const field of table.computedFields.values()) {
      if (hasField(rules, field) || !above.some((parent) => hasField(parent, field))) continue;
      const path = accessPathOf(field, rules.select, table);
      if (typeof path === 'string') continue;
      report.warning(
        'RG_COMPUTED_FIELD',
        inheritingRole.position,
        `role "${inheritingRole.name}" does not inherit "${field.name}" of ${table.schema}.${table.name}: ${path.message}`,
        path.hint,
      );
    }
  }
}
