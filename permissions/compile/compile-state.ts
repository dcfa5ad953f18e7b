import { callsOfOwner, callsOfTable } from '../access/function-calls.ts';
import { type RoleAccess, roleAccess, type TableAccess } from '../access/table-access.ts';
import { type Catalog, tableKey } from '../catalog/catalog.ts';
import { gatherNeeds, type PolicyNeed, type PolicyView } from '../expressions/policy-views.ts';
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
import type { TableKey } from '../types/names.ts';
import type { TableModel } from '../types/tables.ts';
import { type Compiled, type CompileScope, together } from './compiled.ts';
import { callGrants, functionGrants } from './computed-fields/call-grants.ts';
import { computedViewObjects } from './computed-fields/computed-view.ts';
import { wrapperObjects } from './computed-fields/wrappers.ts';
import { conflictLookupObjects } from './conflict-lookups/conflict-lookups.ts';
import { enumNoticeObjects } from './events/enum-notices.ts';
import { eventObjects } from './events/events.ts';
import { schemaGrants, sequenceGrants, tableGrants } from './grants.ts';
import { rowsViewObjects } from './masked-columns/rows-view.ts';
import { fieldCallObjects, functionCallObjects } from './owner-calls/owner-call-objects.ts';
import { policyRoleRights, tablePolicies } from './policies.ts';
import { presetObjects } from './presets.ts';
import { updateCheckObjects } from './upserts/update-check.ts';
import { viewWriteRights, writeViewObjects } from './views-over-views/write-views.ts';

export interface CompileTarget extends RoleTarget {
  readonly login: GatewayLogin;
  /** Schemas that every role may use and whose USAGE is not ours to grant. */
  readonly openSchemas: ReadonlySet<string>;
}

/** What the rules of one role on one table compile to. */
interface CompiledPair {
  readonly access: TableAccess;
  readonly rules: Compiled;
  readonly computedView: Compiled;
  readonly rowsView: Compiled;
  readonly writeViews: Compiled;
}

interface CompiledRole {
  readonly access: RoleAccess;
  readonly ownerCalls: Compiled;
  readonly pairs: ReadonlyMap<TableKey, CompiledPair>;
}

/** Every object that a model asks of the database, in the order of creation. Deterministic. */
export function compileState(
  model: Model,
  catalog: Catalog,
  target: CompileTarget,
): readonly DesiredObject[] {
  const tables = [...model.tables.values()];
  const roles = [...model.roles.values()].map((role) =>
    compileRole(roleAccess(role, model), scopeOf(model, role.name, catalog, target)),
  );
  const pairs = roles.flatMap((role) => [...role.pairs.values()]);
  const pairsOn = (table: TableModel) => roles.flatMap((role) => role.pairs.get(table.key) ?? []);
  const onTables = together(
    tables.flatMap((table) => [
      ...pairsOn(table).map((pair) => pair.rules),
      { objects: tableObjects(model, table, catalog, target), needs: [] },
    ]),
  );
  const byViews = together([
    ...roles.map((role) => role.ownerCalls),
    ...pairs.map((pair) => pair.computedView),
    ...pairs.map((pair) => pair.rowsView),
    ...pairs.map((pair) => pair.writeViews),
  ]);
  return inOrder(model, [
    ...roleObjects(model, target),
    ...roles.flatMap((role) => roleRights(role.access, target)),
    ...systemRights(model, target),
    ...wrapperObjects(
      [
        ...pairs.flatMap((pair) => callsOfTable(pair.access)),
        ...roles.flatMap((role) => callsOfOwner(role.access)),
      ],
      model,
    ),
    ...onTables.objects,
    ...policyRoleObjects(model, [...onTables.needs, ...byViews.needs]),
    ...byViews.objects,
    ...tables.flatMap((table) => {
      const accesses = pairsOn(table).map(({ access }) => access);
      return viewWriteRights(table, accesses, systemRoles(model).policy);
    }),
    ...apiFunctionObjects(),
    ...enumNoticeObjects(model),
    ...(model.events.size > 0 ? [eventSessionObject(model)] : []),
  ]);
}

function scopeOf(
  model: Model,
  role: string,
  catalog: Catalog,
  { openSchemas }: CompileTarget,
): CompileScope {
  const { gateway, policy } = systemRoles(model);
  const session = sessionObject(model, role);
  const { tables } = model;
  return { tables, catalog, gatewayRole: gateway, policyRole: policy, openSchemas, session };
}

function compileRole(access: RoleAccess, scope: CompileScope): CompiledRole {
  const tables = [...access.tables.values()];
  return {
    access,
    ownerCalls: together([
      { objects: functionGrants(access), needs: [] },
      functionCallObjects(access, scope),
      ...tables.map((one) => fieldCallObjects(one, access.tables, scope)),
    ]),
    pairs: new Map(tables.map((one) => [one.table.key, compilePair(one, scope)])),
  };
}

function compilePair(access: TableAccess, scope: CompileScope): CompiledPair {
  return {
    access,
    rules: access.table.view ? viewRules(access, scope) : tableRules(access, scope),
    computedView: computedViewObjects(access, scope),
    rowsView: rowsViewObjects(access, scope),
    writeViews: writeViewObjects(access, scope),
  };
}

function tableRules(access: TableAccess, scope: CompileScope): Compiled {
  const grants = [...tableGrants(access, scope), ...callGrants(access)];
  return together([
    { objects: grants, needs: [] },
    tablePolicies(access, scope),
    updateCheckObjects(access, scope),
    conflictLookupObjects(access, scope),
  ]);
}

/** Views of ours read and write a user-defined view, to which neither policies nor such triggers apply. */
function viewRules(access: TableAccess, scope: CompileScope): Compiled {
  return { objects: [...callGrants(access), ...sequenceGrants(access, scope)], needs: [] };
}

function roleObjects(model: Model, target: CompileTarget): readonly DesiredObject[] {
  const { gateway, policy } = systemRoles(model);
  const { login } = target;
  const roles = compiledRoles(model);
  return [
    ...[...roles, gateway, policy].map((name) => roleObject(name, false, target)),
    ...(login.managed ? [roleObject(login.name, true, target)] : []),
    ...[...roles, gateway].map((role) => membershipObject(role, login.name, target)),
  ];
}

function roleRights(access: RoleAccess, { openSchemas }: CompileTarget): readonly DesiredObject[] {
  const { postgresName } = access.role;
  const called = ['login_variable', 'session_variable', 'update_each', 'insert_else'] as const;
  return [
    ...schemaGrants(access, openSchemas),
    ...called.map((name) => executeApiFunction(name, postgresName)),
  ];
}

function systemRights(model: Model, { login }: CompileTarget): readonly DesiredObject[] {
  const called = ['applied_fingerprint', 'installation', 'applied_objects'] as const;
  return [
    executeApiFunction('login_variable', systemRoles(model).policy),
    schemaUsage('rowgate_api', login.name),
    ...called.map((name) => executeApiFunction(name, login.name)),
  ];
}

/** What a table has for all roles together. */
function tableObjects(
  model: Model,
  table: TableModel,
  catalog: Catalog,
  { serverVersion }: CompileTarget,
): readonly DesiredObject[] {
  const statistics = statisticsObjects(table, serverVersion);
  if (table.view) return statistics;
  return [
    ...statistics,
    ...rowSecurity(table, catalog),
    ...presetObjects(model, table),
    ...eventObjects(model, table, catalog),
  ];
}

/** Row security on the table and on every table below it, so that no partition is a way around the rules. */
function rowSecurity(table: TableModel, catalog: Catalog): readonly DesiredObject[] {
  const found = catalog.tables.get(table.key);
  const below = (found?.descendants ?? []).flatMap((key) => catalog.tables.get(key) ?? []);
  return [table, ...below].map((one) => rowSecurityObject(one, table.position));
}

/** The views that printed SQL reads, and the rights of the policy role, which owns them. */
function policyRoleObjects(model: Model, needs: readonly PolicyNeed[]): readonly DesiredObject[] {
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

/** By kind, each object once: several policies of a role may read one view, several tables draw from one sequence. */
function inOrder(model: Model, objects: readonly DesiredObject[]): readonly DesiredObject[] {
  const distinct = [...new Map(objects.map((object) => [object.id, object])).values()];
  const ordered = stateKinds.flatMap((kind) => distinct.filter((object) => object.kind === kind));
  return [...ordered, fingerprintObject(model, ordered)];
}

/** Keys of all tables that rules manage, and of the tables below them. */
export function managedTables(model: Model, catalog: Catalog): ReadonlySet<string> {
  const keys = [...model.tables.values()].flatMap((table) => {
    const key = tableKey(table.schema, table.name);
    return [key, ...(catalog.tables.get(key)?.descendants ?? [])];
  });
  return new Set(keys);
}
