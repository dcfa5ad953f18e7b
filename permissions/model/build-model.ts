import { createHash } from 'node:crypto';
import type { Catalog } from '../catalog/catalog.ts';
import type { Report } from '../diagnostics.ts';
import { nearest } from '../load/nearest.ts';
import type { RawMetadata, RawName, RawSettings } from '../load/raw.ts';
import { makeComputedFields } from './computed-fields.ts';
import { makeEvents, makeSchedules } from './events.ts';
import { reportNameConflicts } from './name-conflicts.ts';
import { makeRelationships } from './relationships.ts';
import { type RoleHead, resolveRoles } from './resolve-roles.ts';
import { adminTables, roleTables } from './role-tables.ts';
import type { Scope } from './scope.ts';
import { makeTable, type TrackedTable, trackTables } from './tables.ts';
import type { Model, RoleModel, TableKey, TableModel } from './types.ts';

export interface ModelOptions {
  /** e.g. `rowgate_platform_`. */
  readonly rolePrefix: string;
  /** e.g. `X-Gql-`. */
  readonly headerPrefix: string;
}

/** Checks raw metadata against a database. Where the report holds errors afterwards, the model must not be used. */
export function buildModel(
  raw: RawMetadata,
  catalog: Catalog,
  options: ModelOptions,
  report: Report,
): Model {
  const tracked = trackTables(raw.tables, catalog, report);
  const tables = buildTables(tracked, raw.settings, { ...options, catalog, report });
  const scope: Scope = {
    catalog,
    report,
    tables,
    headerPrefix: options.headerPrefix,
    filters: new Map(raw.filters.map(({ name, filter }) => [name.name, filter])),
  };
  const heads = resolveRoles(raw.roles, options, report);
  reportUnknownRoles(raw, heads, report);
  const roles = new Map<string, RoleModel>();
  for (const head of [...heads, adminHead(options)]) {
    const rules =
      head.name === 'admin'
        ? adminTables(tables)
        : roleTables(head.name, tracked, scope, raw.settings);
    roles.set(head.name, { ...head, tables: rules });
  }
  const body = {
    ...options,
    roles,
    tables,
    variables: allVariables(roles, tables),
    events: makeEvents(tracked, catalog, report),
    schedules: makeSchedules(raw.schedules),
  };
  return { ...body, fingerprint: fingerprintOf(body) };
}

function adminHead({ rolePrefix }: ModelOptions): RoleHead {
  return {
    name: 'admin',
    postgresName: `${rolePrefix}admin`,
    purpose: 'everything on every table here, by the admin secret',
    requires: [],
  };
}

function buildTables(
  tracked: readonly TrackedTable[],
  { defaultRelationships: byDefault }: RawSettings,
  { catalog, report, headerPrefix }: Pick<Scope, 'catalog' | 'report' | 'headerPrefix'>,
): ReadonlyMap<TableKey, TableModel> {
  const byKey = new Map(tracked.map((one) => [one.key, one]));
  const scope = { tracked: byKey, catalog, report, byDefault, headerPrefix };
  const tables = new Map<TableKey, TableModel>();
  for (const one of tracked) {
    const bare = makeTable(one, catalog, report);
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

function reportUnknownRoles(raw: RawMetadata, heads: readonly RoleHead[], report: Report): void {
  const known = heads.map((head) => head.name);
  const names: readonly RawName[] = raw.tables.flatMap((table) =>
    table.permissions.map((one) => one.role),
  );
  for (const { name, position } of names) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    report.error(
      'RG_UNKNOWN_ROLE',
      position,
      `role "${name}" is not in roles.yaml`,
      near ? `did you mean "${near}"?` : 'declare it there',
    );
  }
}

function allVariables(
  roles: ReadonlyMap<string, RoleModel>,
  tables: ReadonlyMap<TableKey, TableModel>,
): readonly string[] {
  const computed = [...tables.values()].flatMap((table) => [...table.computedFields.values()]);
  const found = [...roles.values()].flatMap((role) => [
    ...role.requires,
    ...[...role.tables.values()].flatMap((rules) =>
      [rules.select, rules.insert, rules.update, rules.delete].flatMap(
        (rule) => rule?.variables.map((use) => use.variable) ?? [],
      ),
    ),
  ]);
  const named = computed.flatMap((field) => field.variables);
  return [...new Set([...found, ...named])].sort();
}

/** Where a rule stands in its file, and how people describe things, changes nothing that rules mean. */
function fingerprintOf(model: Omit<Model, 'fingerprint'>): string {
  const text = JSON.stringify(model, (key, value: unknown) => {
    if (['position', 'description', 'rootDescriptions'].includes(key)) return undefined;
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
  return createHash('sha256').update(text).digest('hex');
}
