import { createHash } from 'node:crypto';
import { type Catalog, tableKey } from '../catalog/catalog.ts';
import { type PolicyView, PolicyViews } from '../expressions/policy-views.ts';
import type { PrintScope } from '../expressions/print-comparison.ts';
import { sessionObject } from '../expressions/print-operand.ts';
import { apiFunctionObjects } from '../objects/api-functions.ts';
import { barrierView } from '../objects/barrier-view.ts';
import { statisticsObjects } from '../objects/column-statistics.ts';
import { desired, label, stateId } from '../objects/desired.ts';
import { eventSessionObject } from '../objects/event-session.ts';
import { fingerprintDefinition } from '../objects/installation.ts';
import {
  compiledRoles,
  type GatewayLogin,
  membershipObject,
  type RoleTarget,
  roleObject,
} from '../objects/roles.ts';
import { type DesiredObject, stateKinds } from '../objects/types.ts';
import { policySchema, systemRoles } from '../text/object-names.ts';
import { literal, qualified, sql } from '../text/sql-text.ts';
import type { Model } from '../types/model.ts';
import type { TableModel } from '../types/tables.ts';
import { callGrants, functionGrants } from './computed-fields/call-grants.ts';
import { callObjects } from './computed-fields/computed-calls.ts';
import { ownerCallObjects } from './computed-fields/owner-call-objects.ts';
import { callsOfOwner } from './computed-fields/owner-calls.ts';
import { enumNoticeObjects } from './events/enum-notices.ts';
import { eventObjects } from './events/events.ts';
import { executeGrant, schemaGrants, schemaUsage, sequenceGrants, tableGrants } from './grants.ts';
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
    ...scope.views.all.map((view) => viewObject(view, policy)),
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
      executeGrant('login_variable', role.postgresName),
      executeGrant('session_variable', role.postgresName),
      executeGrant('update_each', role.postgresName),
      executeGrant('insert_else', role.postgresName),
    ]),
    executeGrant('login_variable', policy),
    schemaUsage('rowgate_api', login.name),
    executeGrant('applied_fingerprint', login.name),
    executeGrant('installation', login.name),
    executeGrant('applied_objects', login.name),
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
  return [table, ...below].map((one) =>
    desired({
      kind: 'row security',
      id: stateId.rowSecurity(one),
      label: `row security on ${label(one)}`,
      definition: 'enabled',
      create: [
        sql`alter table ${qualified(one)} enable row level security`,
        sql`insert into rowgate.row_security values (${literal(qualified(one).text)}::pg_catalog.regclass) on conflict do nothing`,
      ],
      position: table.position,
    }),
  );
}

function viewObject(view: PolicyView, owner: string): DesiredObject {
  return barrierView({
    name: { schema: policySchema, name: view.name },
    label: `policy view ${view.name} over ${label(view.table)}`,
    owner,
    query: view.query,
  });
}

/** What was applied last: the metadata, and all that it asked of this database. */
function fingerprintObject(model: Model, objects: readonly DesiredObject[]): DesiredObject {
  const { gateway } = systemRoles(model);
  const facts = objects.map(({ id, definition }) => JSON.stringify([id, definition])).sort();
  const state = createHash('sha256').update(facts.join('\n')).digest('hex');
  return desired({
    kind: 'fingerprint',
    id: stateId.fingerprint(),
    label: 'fingerprint of the metadata',
    definition: fingerprintDefinition({
      gatewayRole: gateway,
      fingerprint: model.fingerprint,
      state,
    }),
    create: [
      sql`update rowgate.installation set gateway_role = ${literal(gateway)}, fingerprint = ${literal(model.fingerprint)}, state = ${literal(state)}, applied_at = pg_catalog.now()`,
    ],
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
