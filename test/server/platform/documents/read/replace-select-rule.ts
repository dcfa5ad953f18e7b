import type { Model, SelectRule, TablePermissions } from '../../../../../permissions/index.ts';

/**
 * Returns a copy of a model with another select rule for one role on one table of the schema
 * `public`.
 */
export function replaceSelectRule(
  model: Model,
  roleName: string,
  table: string,
  change: (rule: SelectRule) => SelectRule | undefined,
): Model {
  const role = model.roles.get(roleName);
  if (!role) throw new Error(`there is no role ${roleName}`);
  const key = `public.${table}`;
  const nothing: TablePermissions = {
    select: undefined,
    insert: undefined,
    update: undefined,
    delete: undefined,
    relationships: new Map(),
    hiddenKeys: [],
    joinMasks: new Map(),
    computedRows: [],
  };
  const permissions = role.tables.get(key) ?? nothing;
  const select = change(permissions.select as SelectRule);
  const tables = new Map(role.tables).set(key, { ...permissions, select });
  return { ...model, roles: new Map(model.roles).set(roleName, { ...role, tables }) };
}
