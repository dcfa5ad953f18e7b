import type { Report } from '../diagnostics.ts';
import type { LoadedModel } from '../model/load-model.ts';
import type { RoleModel } from '../types/model.ts';

/** Reports roles of roles.yaml that may do nothing, by rules of their own or inherited ones. */
export function idleRoles({ model, raw }: LoadedModel, report: Report): void {
  const acting = new Set([...model.actions.values()].flatMap(({ roles }) => [...roles]));
  for (const { name, position } of raw.roles) {
    const role = model.roles.get(name);
    if (!role || acting.has(name) || hasRules(role)) continue;
    report.notice(
      'RG_ROLE_WITHOUT_RULES',
      position,
      `no rule lets ${name} do anything, and it inherits none`,
      'write rules for the role under permissions of a table, or remove it',
    );
  }
}

function hasRules({ tables, functions }: RoleModel): boolean {
  if (functions.length > 0) return true;
  return [...tables.values()].some(
    ({ select, insert, update, delete: removal }) => select ?? insert ?? update ?? removal,
  );
}
