import { type Catalog, tableKey } from '../catalog/catalog.ts';
import { type PolicyView, PolicyViews } from '../expressions/policy-views.ts';
import type { PrintScope } from '../expressions/print-comparison.ts';
import { sessionObject } from '../expressions/print-operand.ts';
import { apiFunctionObjects, executeApiFunction } from '../objects/api-functions/api-functions.ts';
import { eventSessionObject } from '../objects/api-functions/event-session.ts';
import { fingerprintObject } from '../objects/fingerprint.ts';
import { membershipObject } from '../objects/membership.ts';
import { compiledRoles, type GatewayLogin, type RoleTarget, roleObject } from '../objects/role.ts';
import { rowSecurityObject } from '../objects/row-security.ts';
import { schemaUsage } from '../objects/schema-usage.ts';
import { type DesiredObject, label, stateKinds } from '../objects/state/state-object.ts';
import { statisticsObjects } from '../objects/statistics.ts';
import { viewObject } from '../objects/view.ts';
import { policySchema, systemRoles } from '../text/object-names.ts';
import type { Model } from '../types/model.ts';
import type { TableModel } from '../types/tables.ts';
import { callGrants, functionGrants } from './computed-fields/call-grants.ts';
import { callObjects } from './computed-fields/computed-calls.ts';
import { ownerCallObjects } from './computed-fields/owner-call-objects.ts';
import { callsOfOwner } from './computed-fields/owner-calls.ts';
import { enumNoticeObjects } from './events/enum-notices.ts';
import { eventObjects } from './events/events.ts';
import { schemaGrants, sequenceGrants, tableGrants } from './grants.ts';
import { policyRoleRights, tablePolicies } from './policies.ts';
import { presetObjects } from './presets.ts';
import { upsertFinderObjects } from './upserts/upsert-finders.ts';
import { upsertGuardObjects } from './upserts/upsert-guards.ts';
import { callsForRole, computedViewObjects } from './views/computed-views.ts';
import { rowsViewObjects } from './views/rows-views.ts';
import { viewWriteRights, writeViewObjects } from './views/write-views.ts';

export interface CompileTarget extends RoleTarget {
  readonly login: GatewayLogin;
  /** Schemas whose use is not ours to grant and needs no grant. */
  readonly openSchemas: ReadonlySet<string>;
}

/** What printing for any role needs, and whom it makes things for. */
type TableScope = Omit<PrintScope, 'session'> &
  Pick<CompileTarget, 'openSchemas'> & { readonly policyRole: string };

/** Everything that a model asks of the database, in the order in which it must come to be. Deterministic. */
export function compileState(
  model: Model,
  catalog: Catalog,
  target: CompileTarget,
): readonly DesiredObject[] {
  const { gateway, policy } = systemRoles(model);
  const scope: TableScope = {
    tables: model.tables,
    gatewayRole: gateway,
    policyRole: policy,
    openSchemas: target.openSchemas,
    views: new PolicyViews(),
  };
  const perTable = [...model.tables.values()].flatMap((table) =>
    tableObjects(model, table, catalog, scope),
  );
  const rulesOfAll = [...model.roles.values()].flatMap((role) =>
    [...model.tables.values()].map((table) => ({ role, table, rules: role.tables.get(table.key) })),
  );
  const called = [
    ...rulesOfAll.flatMap(({ table, rules }) => (rules ? callsForRole(rules, table) : [])),
    ...[...model.roles.values()].flatMap((role) => callsOfOwner(role, model)),
  ];
  const owned = [...model.roles.values()].flatMap((role) => {
    const own = { ...scope, session: sessionObject(model, role.name) };
    return [...functionGrants(role, model), ...ownerCallObjects(role, model, catalog, own)];
  });
  const computed = rulesOfAll.flatMap(({ role, table }) =>
    computedViewObjects(role, table, { ...scope, session: sessionObject(model, role.name) }),
  );
  const rows = rulesOfAll.flatMap(({ role, table }) =>
    rowsViewObjects(role, table, { ...scope, session: sessionObject(model, role.name) }),
  );
  const writes = rulesOfAll.flatMap(({ role, table }) =>
    writeViewObjects(role, table, { ...scope, session: sessionObject(model, role.name) }),
  );
  const objects = [
    ...roleObjects(model, target),
    ...callObjects(called, model),
    ...[...model.tables.values()].flatMap((table) =>
      statisticsObjects(table, target.serverVersion),
    ),
    ...perTable,
    ...policyRoleRights(model, scope),
    ...scope.views.all.map((view) => policyViewObject(view, policy)),
    ...computed,
    ...owned,
    ...rows,
    ...writes,
    ...viewWriteRights(model, policy),
    ...apiFunctionObjects(),
    ...enumNoticeObjects(model),
    ...(model.events.size > 0 ? [eventSessionObject(model)] : []),
  ];
  // Several policies of a role may read one view, several tables draw from one sequence.
  const distinct = [...new Map(objects.map((object) => [object.id, object])).values()];
  const ordered = stateKinds.flatMap((kind) => distinct.filter((object) => object.kind === kind));
  return [...ordered, fingerprintObject(model, ordered)];
}

function roleObjects(model: Model, target: CompileTarget): readonly DesiredObject[] {
  const { gateway, policy } = systemRoles(model);
  const { login } = target;
  const roles = compiledRoles(model);
  return [
    ...[...roles, gateway, policy].map((name) => roleObject(name, false, target)),
    ...(login.managed ? [roleObject(login.name, true, target)] : []),
    ...[...roles, gateway].map((role) => membershipObject(role, login.name, target)),
    ...[...model.roles.values()].flatMap((role) => [
      ...schemaGrants(model, role, target.openSchemas),
      executeApiFunction('login_variable', role.postgresName),
      executeApiFunction('session_variable', role.postgresName),
      executeApiFunction('update_each', role.postgresName),
      executeApiFunction('insert_else', role.postgresName),
    ]),
    executeApiFunction('login_variable', policy),
    schemaUsage('rowgate_api', login.name),
    executeApiFunction('applied_fingerprint', login.name),
    executeApiFunction('installation', login.name),
    executeApiFunction('applied_objects', login.name),
  ];
}

function tableObjects(
  model: Model,
  table: TableModel,
  catalog: Catalog,
  scope: TableScope,
): readonly DesiredObject[] {
  const perRole = [...model.roles.values()].flatMap((role) => {
    const rules = role.tables.get(table.key);
    const own = { ...scope, session: sessionObject(model, role.name) };
    if (rules && table.view)
      return [...callGrants(role, table, rules), ...sequenceGrants(role, table, rules, catalog)];
    return rules
      ? [
          ...tableGrants(role, table, rules, catalog),
          ...callGrants(role, table, rules),
          ...tablePolicies(role, table, rules, own),
          ...upsertGuardObjects(role, table, catalog, own),
          ...upsertFinderObjects(role, table, catalog, own),
        ]
      : [];
  });
  // A view is read and written by views of ours, and knows neither policies nor triggers like these.
  if (table.view) return perRole;
  return [
    ...rowSecurity(table, catalog),
    ...perRole,
    ...presetObjects(model, table),
    ...eventObjects(model, table, catalog),
  ];
}

/** Row security on the table and everything below it, so that a partition is no way around. */
function rowSecurity(table: TableModel, catalog: Catalog): readonly DesiredObject[] {
  const found = catalog.tables.get(table.key);
  const below = (found?.descendants ?? []).flatMap((key) => catalog.tables.get(key) ?? []);
  return [table, ...below].map((one) => rowSecurityObject(one, table.position));
}

function policyViewObject(view: PolicyView, owner: string): DesiredObject {
  return viewObject({
    name: { schema: policySchema, name: view.name },
    label: `policy view ${view.name} over ${label(view.table)}`,
    owner,
    query: view.query,
  });
}

/** Keys of all tables that rules manage, with what lies below them. */
export function managedTables(model: Model, catalog: Catalog): ReadonlySet<string> {
  const keys = [...model.tables.values()].flatMap((table) => {
    const key = tableKey(table.schema, table.name);
    return [key, ...(catalog.tables.get(key)?.descendants ?? [])];
  });
  return new Set(keys);
}
