import { createHash } from 'node:crypto';
import type { Catalog } from '../catalog/catalog.ts';
import type { Report } from '../diagnostics.ts';
import { meaningOf } from '../expressions/combine.ts';
import type { Scope } from '../expressions/resolve/scope.ts';
import { VariableUses } from '../expressions/session-variables.ts';
import type { RawMetadata } from '../metadata/load-metadata.ts';
import type { RawSettings } from '../metadata/schemas/settings.ts';
import { variableName } from '../text/names.ts';
import type { Model, RoleModel } from '../types/model.ts';
import type { TableKey, VariableName } from '../types/names.ts';
import type { TableModel } from '../types/tables.ts';
import { makeActions } from './actions/actions.ts';
import { makeComputedFields } from './computed-fields/computed-fields.ts';
import { reportFunctionConflicts } from './conflicts/function-conflicts.ts';
import { reportNameConflicts } from './conflicts/name-conflicts.ts';
import { findEnums, withEnums } from './enums/enums.ts';
import { makeEvents, makeSchedules } from './events/events.ts';
import { makeFunctions, type TrackedFunction } from './functions/functions.ts';
import { makeAllowList } from './operations/make-allow-list.ts';
import { makeExtensions } from './operations/make-extensions.ts';
import { makeRelationships } from './relationships/relationships.ts';
import { buildRoles, type TableRole } from './roles/build-roles.ts';
import { resolveVariables } from './roles/resolve-limits.ts';
import { type RoleHead, resolveRoles } from './roles/resolve-roles.ts';
import { withFunctions } from './roles/role-functions.ts';
import { reportUnknownRoles } from './roles/unknown-roles.ts';
import { adminTables, roleTables } from './rules/role-tables.ts';
import { withLive } from './tables/live-tables.ts';
import { makeTable, type TrackedTable, trackTables } from './tables/tables.ts';
import { reportViews } from './views/views.ts';

export interface ModelOptions {
  /** Prefix of the Postgres roles, e.g. `rowgate_platform_`. */
  readonly rolePrefix: string;
  /** Prefix of headers that hold session variables, e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  /**
   * Whether a role may call a query function when it may select the returned rows, although the function's file does
   * not list the role. Default: false.
   */
  readonly inferFunctionPermissions?: boolean | undefined;
  /** Session variables that authentication sets, so that callers need not send them; default: none. */
  readonly authenticatedVariables?: readonly VariableName[] | undefined;
}

/**
 * Resolves decoded metadata against a database, and reports mistakes. If the report has errors afterwards, the model
 * must not be used.
 */
export function buildModel(
  raw: RawMetadata,
  catalog: Catalog,
  options: ModelOptions,
  report: Report,
): Model {
  const tracked = trackTables(raw.tables, catalog, report);
  const tables = buildTables(tracked, raw.settings, { ...options, catalog, report });
  const heads = resolveRoles(raw.roles, options, report);
  const scope: Scope = {
    catalog,
    report,
    tables,
    headerPrefix: options.headerPrefix,
    variables: knownVariables(raw, heads, options, report),
    filters: new Map(raw.filters.map(({ name, filter }) => [name.name, filter])),
  };
  const roleNames = heads.map(({ name }) => name);
  reportUnknownRoles(
    raw.tables.flatMap((table) => table.permissions.map(({ role }) => role)),
    roleNames,
    report,
  );
  const { roles, functions, parentsOf } = resolveRules(raw, heads, tracked, scope, options);
  reportViews(roles.values(), tables, catalog, report);
  const { rolePrefix, headerPrefix } = options;
  scope.variables.reportUnknown(headerPrefix, report);
  const called = new Map(functions.map(({ model }) => [model.key, model]));
  const body = {
    rolePrefix,
    headerPrefix,
    roles,
    tables: withLive(tables, tracked, { roles, catalog, report }),
    functions: called,
    variables: allVariables(roles, tables, called),
    events: makeEvents(tracked, catalog, report),
    schedules: makeSchedules(raw.schedules),
    graphile: raw.graphile && {
      ...raw.graphile,
      extensions: makeExtensions(raw.graphile.extensions, {
        ...{ ...scope, parentsOf, roles: roleNames },
      }),
    },
    ...makeActions(raw.actions, {
      ...{ tables, parentsOf, headerPrefix, report },
      functions: functions.map(({ model }) => model),
      roles: roleNames,
    }),
    allowList: makeAllowList(raw.allowList, roleNames, report),
  };
  return { ...body, fingerprint: fingerprintOf(body) };
}

interface ResolvedRules {
  readonly roles: ReadonlyMap<string, RoleModel>;
  readonly functions: readonly TrackedFunction[];
  readonly parentsOf: (role: string) => readonly string[];
}

/** Resolves the rules of all roles, including the admin role, and the functions that each role may call. */
function resolveRules(
  raw: RawMetadata,
  heads: readonly RoleHead[],
  tracked: readonly TrackedTable[],
  scope: Scope,
  options: ModelOptions,
): ResolvedRules {
  const { tables, report } = scope;
  const bare = buildRoles(heads, (head, parents) =>
    roleTables(head, parents, tracked, scope, raw.settings),
  );
  const admin = adminHead(options);
  bare.set(admin.name, { ...admin, tables: adminTables(tables) });
  const functions = makeFunctions(raw.functions, scope);
  reportFunctionConflicts(functions, tables, report);
  const parents = new Map(heads.map(({ name, inherits }) => [name, inherits]));
  const parentsOf = (name: string) => parents.get(name) ?? [];
  const roles = withFunctions(bare, functions, parentsOf, {
    ...{ tables, report, inferred: options.inferFunctionPermissions === true },
  });
  return { roles, functions, parentsOf };
}

function knownVariables(
  { roles, settings }: RawMetadata,
  heads: readonly RoleHead[],
  { headerPrefix, authenticatedVariables = [] }: ModelOptions,
  report: Report,
): VariableUses {
  const variables = new VariableUses([
    ...heads.flatMap(({ requires }) => requires),
    ...resolveVariables(settings.variables, headerPrefix, report),
    ...authenticatedVariables,
  ]);
  for (const { limits } of roles) {
    const by = limits?.rate?.by;
    for (const { name, position } of typeof by === 'object' ? by : []) {
      const variable = variableName(name, headerPrefix);
      if (variable !== undefined) variables.add(variable, position);
    }
  }
  return variables;
}

function adminHead({ rolePrefix }: ModelOptions): Omit<TableRole, 'tables'> {
  return {
    name: 'admin',
    postgresName: `${rolePrefix}admin`,
    purpose: 'everything on every table here, by the admin secret',
    requires: [],
    inherits: [],
    limits: undefined,
    introspection: true,
  };
}

function buildTables(
  tracked: readonly TrackedTable[],
  { defaultRelationships: byDefault }: RawSettings,
  { catalog, report, headerPrefix }: Pick<Scope, 'catalog' | 'report' | 'headerPrefix'>,
): ReadonlyMap<TableKey, TableModel> {
  const byKey = new Map(tracked.map((one) => [one.key, one]));
  const scope = { tracked: byKey, catalog, report, byDefault, headerPrefix };
  const enums = findEnums(tracked, catalog, report);
  const tables = new Map<TableKey, TableModel>();
  for (const one of tracked) {
    const bare = withEnums(makeTable(one, catalog, report), one.catalog, enums);
    const relationships = makeRelationships(bare, one.raw, scope);
    const related = { ...bare, relationships };
    const computedFields = makeComputedFields(related, one.raw.computedFields, scope);
    tables.set(one.key, { ...related, computedFields });
  }
  const named = tracked.flatMap(({ key, raw }) => {
    const model = tables.get(key);
    return model ? [{ model, graphql: raw.graphql }] : [];
  });
  reportNameConflicts(named, report);
  return tables;
}

function allVariables(
  roles: ReadonlyMap<string, RoleModel>,
  tables: ReadonlyMap<TableKey, TableModel>,
  functions: Model['functions'],
): readonly string[] {
  const computed = [...tables.values()].flatMap((table) => [...table.computedFields.values()]);
  const found = [...roles.values()].flatMap((role) => [
    ...role.requires,
    ...countedBy(role),
    ...[...role.tables.values()].flatMap((rules) =>
      [rules.select, rules.insert, rules.update, rules.delete].flatMap(
        (rule) => rule?.variables.map((use) => use.variable) ?? [],
      ),
    ),
  ]);
  const named = [...computed, ...functions.values()].flatMap(({ variables }) => variables);
  return [...new Set([...found, ...named])].sort();
}

function countedBy({ limits }: RoleModel): readonly string[] {
  const by = limits?.rate?.by;
  return typeof by === 'object' ? by : [];
}

/**
 * A number that rises whenever the compiler makes other objects from the same model. It is a part of the fingerprint, so
 * that a server notices when an older program has applied its rules.
 */
export const compilerRevision = 3;

function fingerprintOf(model: Omit<Model, 'fingerprint'>): string {
  const text = meaningOf([compilerRevision, model]);
  return createHash('sha256').update(text).digest('hex');
}
