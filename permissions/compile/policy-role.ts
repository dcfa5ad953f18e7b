import {
  gatherNeeds,
  type PolicyNeed,
  type PolicyView,
} from '../expressions/print/policy-views.ts';
import { grantObject } from '../objects/privileges/grant.ts';
import { type DesiredObject, label } from '../objects/state/state-object.ts';
import { policyObject } from '../objects/tables/policy.ts';
import { viewObject } from '../objects/view.ts';
import { policyName, policySchema, systemRoles } from '../text/object-names.ts';
import { sql } from '../text/sql-text.ts';
import type { Model } from '../types/model.ts';
import type { TableModel } from '../types/tables.ts';

/** Returns the policy views that printed SQL reads, and the rights that the policy role, their owner, needs. */
export function policyRoleObjects(
  model: Model,
  needs: readonly PolicyNeed[],
): readonly DesiredObject[] {
  const { policy: owner } = systemRoles(model);
  const { views, reads } = gatherNeeds(needs);
  const rights = [...reads].flatMap(([key, columns]) => {
    const table = model.tables.get(key);
    return table ? policyRoleRights(table, columns, owner) : [];
  });
  return [...rights, ...views.map((view) => policyViewObject(view, owner))];
}

function policyViewObject(view: PolicyView, owner: string): DesiredObject {
  return viewObject({
    name: { schema: policySchema, name: view.name },
    label: `policy view ${view.name} over ${label(view.table)}`,
    owner,
    query: view.query,
  });
}

/**
 * Grants the policy role SELECT on the columns that its views read, and a policy that shows it all rows in every
 * session.
 */
function policyRoleRights(
  table: TableModel,
  columns: ReadonlySet<string>,
  owner: string,
): readonly DesiredObject[] {
  const readable = columns.size > 0 ? [...columns] : [...table.columns.keys()].slice(0, 1);
  const grant = grantObject({ privilege: 'SELECT', on: table, columns: readable, to: owner });
  if (table.view) return [grant];
  const name = policyName('policy', 'select');
  const all = { name, on: table, to: owner, command: 'select', using: sql`true` } as const;
  return [grant, policyObject(all)];
}
