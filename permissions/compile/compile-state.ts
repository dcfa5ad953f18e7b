import { type RoleAccess, roleAccess, type TableAccess } from '../access/table-access.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { sessionObject } from '../expressions/print/print-operand.ts';
import { apiFunctionObjects } from '../objects/api-functions/api-functions.ts';
import { eventSessionObject } from '../objects/api-functions/event-session.ts';
import { fingerprintObject } from '../objects/fingerprint.ts';
import { type DesiredObject, stateKinds } from '../objects/state/state-object.ts';
import { rowSecurityObject } from '../objects/tables/row-security.ts';
import { statisticsObjects } from '../objects/tables/statistics.ts';
import { systemRoles } from '../text/object-names.ts';
import type { Model } from '../types/model.ts';
import type { TableKey } from '../types/names.ts';
import type { Steps } from '../types/steps.ts';
import type { TableModel } from '../types/tables.ts';
import { type Compiled, type CompileScope, nothing, together } from './compiled.ts';
import { callGrants, functionGrants } from './computed-fields/call-grants.ts';
import { computedViewObjects } from './computed-fields/computed-view.ts';
import { wrapperObjects } from './computed-fields/wrappers.ts';
import { conflictLookupObjects } from './conflict-lookups/conflict-lookups.ts';
import { enumNoticeObjects } from './events/enum-notices.ts';
import { eventObjects } from './events/events.ts';
import { sequenceGrants, tableGrants } from './grants.ts';
import { liveObjects } from './live/live.ts';
import { loginViewObjects, loginViewsVersion } from './login-views.ts';
import { entryCheckObjects, keyRowsObjects } from './masked-columns/gateway-views.ts';
import { rowsViewObjects } from './masked-columns/rows-view.ts';
import { fieldCallObjects, functionCallObjects } from './owner-calls/owner-call-objects.ts';
import { tablePolicies } from './policies.ts';
import { policyRoleObjects } from './policy-role.ts';
import { presetObjects } from './presets.ts';
import { type CompileTarget, roleObjects } from './role-objects.ts';
import { updateCheckObjects } from './upserts/update-check.ts';
import { viewWriteRights, writeViewObjects } from './views-over-views/write-views.ts';

/** The compiled rules of one role on one table, which compileState combines with those of all other pairs. */
interface CompiledPair {
  readonly rules: Compiled;
  readonly computedView: Compiled;
  readonly rowsView: Compiled;
  readonly gatewayViews: Compiled;
  readonly writeViews: Compiled;
}

interface CompiledRole {
  readonly access: RoleAccess;
  readonly ownerCalls: Compiled;
  readonly pairs: ReadonlyMap<TableKey, CompiledPair>;
}

/**
 * Returns every object that a model needs in the database, in the order of creation. Equal models give equal results.
 * A step compiles the rules of one role on one table.
 */
export function* compileState(
  model: Model,
  catalog: Catalog,
  target: CompileTarget,
): Steps<readonly DesiredObject[]> {
  const tables = [...model.tables.values()];
  const roles: CompiledRole[] = [];
  for (const role of model.roles.values()) {
    const scope = scopeOf(model, role.name, catalog, target);
    roles.push(yield* compileRole(roleAccess(role, model), scope));
  }
  const pairs = roles.flatMap((role) => [...role.pairs.values()]);
  const compiledTables: Compiled[] = [];
  for (const table of tables) {
    for (const role of roles) compiledTables.push(role.pairs.get(table.key)?.rules ?? nothing);
    compiledTables.push({ objects: tableObjects(model, table, catalog, target), needs: [] });
    yield;
  }
  const onTables = together(compiledTables);
  const byViews = together([
    ...roles.map((role) => role.ownerCalls),
    ...pairs.map((pair) => pair.computedView),
    ...pairs.map((pair) => pair.rowsView),
    ...pairs.map((pair) => pair.gatewayViews),
    ...pairs.map((pair) => pair.writeViews),
  ]);
  const accesses = roles.map((role) => role.access);
  yield;
  const objects = [
    ...roleObjects(model, accesses, target),
    ...wrapperObjects(accesses, model),
    ...onTables.objects,
    ...policyRoleObjects(model, [...onTables.needs, ...byViews.needs]),
    ...byViews.objects,
    ...tables.flatMap((table) => viewWriteRights(table, accesses, systemRoles(model).policy)),
    ...apiFunctionObjects(model),
    ...enumNoticeObjects(model),
    ...(model.events.size > 0 ? [eventSessionObject(model)] : []),
  ];
  yield;
  const forLogins = accesses.flatMap((access) => forLoginsOf(access, model, catalog, target));
  return inOrder(model, objects, forLogins);
}

/**
 * Returns the views through which direct logins read the tables of a role. There are none unless `login create --views`
 * recorded a schema for the role.
 */
function forLoginsOf(
  access: RoleAccess,
  model: Model,
  catalog: Catalog,
  target: CompileTarget,
): readonly DesiredObject[] {
  const schema = target.viewSchemas.get(access.role.name);
  if (schema === undefined || target.serverVersion < loginViewsVersion) return [];
  const scope = scopeOf(model, access.role.name, catalog, target);
  return loginViewObjects(access, { ...scope, schema });
}

/** Returns the inputs for compiling the rules of one role. */
export function scopeOf(
  model: Model,
  role: string,
  catalog: Catalog,
  { openSchemas }: Pick<CompileTarget, 'openSchemas'>,
): CompileScope {
  const { gateway, policy } = systemRoles(model);
  const session = sessionObject(model, role);
  const { tables } = model;
  return { tables, catalog, gatewayRole: gateway, policyRole: policy, openSchemas, session };
}

function* compileRole(access: RoleAccess, scope: CompileScope): Steps<CompiledRole> {
  const tables = [...access.tables.values()];
  const pairs = new Map<TableKey, CompiledPair>();
  for (const one of tables) {
    pairs.set(one.table.key, compilePair(one, scope));
    yield;
  }
  return {
    access,
    ownerCalls: together([
      { objects: functionGrants(access), needs: [] },
      functionCallObjects(access, scope),
      ...tables.map((one) => fieldCallObjects(one, access.tables, scope)),
    ]),
    pairs,
  };
}

/** Compiles the rules of one role on one table. */
export function compilePair(access: TableAccess, scope: CompileScope): CompiledPair {
  return {
    rules: access.table.view ? viewRules(access, scope) : tableRules(access, scope),
    computedView: computedViewObjects(access, scope),
    rowsView: rowsViewObjects(access, scope),
    gatewayViews: together([keyRowsObjects(access, scope), entryCheckObjects(access, scope)]),
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

/**
 * Returns the generated views through which a role reads and writes a user-defined view. They enforce the rules,
 * because neither policies nor preset triggers apply to a view.
 */
function viewRules(access: TableAccess, scope: CompileScope): Compiled {
  return { objects: [...callGrants(access), ...sequenceGrants(access, scope)], needs: [] };
}

/** Returns the objects that a table needs once for all roles, such as row security and triggers. */
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
    ...liveObjects(table, catalog),
  ];
}

/**
 * Enables row security on the table and on every table below it. Otherwise a role could name a partition directly and
 * see rows that its rules hide.
 */
function rowSecurity(table: TableModel, catalog: Catalog): readonly DesiredObject[] {
  const found = catalog.tables.get(table.key);
  const below = (found?.descendants ?? []).flatMap((key) => catalog.tables.get(key) ?? []);
  return [table, ...below].map((one) => rowSecurityObject(one, table));
}

/**
 * Sorts the objects in the order of creation, and keeps each object once. Duplicates are normal: several policies of a
 * role may read one view, and several tables may use one sequence. The fingerprint leaves out the views for direct
 * logins, because `login create` and `login drop` change them between two applies.
 */
function inOrder(
  model: Model,
  objects: readonly DesiredObject[],
  forLogins: readonly DesiredObject[],
): readonly DesiredObject[] {
  const inGateway = inCreationOrder(objects);
  const all = forLogins.length === 0 ? inGateway : inCreationOrder([...objects, ...forLogins]);
  return [...all, fingerprintObject(model, inGateway)];
}

/** Sorts objects in the order of creation, and keeps each object once. */
export function inCreationOrder(objects: readonly DesiredObject[]): readonly DesiredObject[] {
  const distinct = new Map(objects.map((object) => [object.id, object])).values();
  const byKind = Map.groupBy(distinct, ({ kind }) => kind);
  return stateKinds.flatMap((kind) => byKind.get(kind) ?? []);
}
