import { tableAccess } from '../access/table-access.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { DesiredObject } from '../objects/state/state-object.ts';
import type { Model, RoleModel } from '../types/model.ts';
import type { TableModel } from '../types/tables.ts';
import { compilePair, inCreationOrder, scopeOf } from './compile-state.ts';
import { together } from './compiled.ts';
import { policyRoleObjects } from './policy-role.ts';
import { presetObjects } from './presets.ts';
import type { CompileTarget } from './role-objects.ts';

/**
 * Returns the objects that enforce the rules of one role on one table: grants, policies, views, and the preset trigger,
 * which all roles share, in the order of creation. Leaves out the rights of the policy role.
 */
export function compileTable(
  {
    model,
    role,
    table,
  }: { readonly model: Model; readonly role: RoleModel; readonly table: TableModel },
  catalog: Catalog,
  target: Pick<CompileTarget, 'openSchemas'>,
): readonly DesiredObject[] {
  const rules = role.tables.get(table.key);
  if (!rules) return [];
  const access = tableAccess(role, table, rules, model.tables);
  const { rules: own, ...views } = compilePair(access, scopeOf(model, role.name, catalog, target));
  const all = together([own, ...Object.values(views)]);
  const shared = policyRoleObjects(model, all.needs).filter(({ kind }) => kind === 'view');
  const presets = table.view ? [] : presetObjects(model, table);
  return inCreationOrder([...presets, ...shared, ...all.objects]);
}
