import type { Scope } from '../../expressions/resolve/scope.ts';
import type { RawSettings } from '../../metadata/schemas/settings.ts';
import type { RawPermissions } from '../../metadata/schemas/tables/table-rules.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableRules } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { fieldsOfWholeRow } from '../computed-fields/resolve-computed-fields.ts';
import type { TableRole } from '../roles/build-roles.ts';
import type { TrackedTable } from '../tables/tables.ts';
import { addRelationships } from './add-relationships.ts';
import { type InheritingRole, inheritRules, type Parent } from './inherit-rules.ts';
import { resolveDelete, resolveInsert, resolveSelect, resolveUpdate } from './resolve-rules.ts';
import { reportUninheritedFields } from './uninherited-fields.ts';
import { addVisibleReferences } from './visible-references.ts';

/** Returns all rules of one role, own and inherited, with the relationships that they make usable. */
export function roleTables(
  role: InheritingRole,
  parents: readonly TableRole[],
  tracked: readonly TrackedTable[],
  scope: Scope,
  settings: RawSettings,
): ReadonlyMap<TableKey, TablePermissions> {
  const rules = new Map<TableKey, TableRules>();
  const sources = new Map<TableKey, readonly TablePermissions[]>();
  for (const { raw, key } of tracked) {
    const permissions = raw.permissions.find((one) => one.role.name === role.name);
    const table = scope.tables.get(key);
    if (!table) continue;
    const own = permissions && resolveRules(permissions, table, scope, settings);
    const above = parentsOf(key, parents);
    if (own || above.length > 0) {
      rules.set(key, inheritRules(role, own, above, table, scope.report));
    }
    if (!own?.select && above.length > 0) {
      sources.set(
        key,
        above.map((parent) => parent.rules),
      );
    }
  }
  const bound = settings.referencesVisible ? addVisibleReferences(rules, scope) : rules;
  const all = addRelationships(bound, scope.tables, settings.strictKeys, sources);
  reportUninheritedFields(role, all, sources, scope);
  return all;
}

function parentsOf(key: TableKey, parents: readonly TableRole[]): readonly Parent[] {
  return parents.flatMap(({ name, tables }) => {
    const rules = tables.get(key);
    return rules ? [{ role: name, rules }] : [];
  });
}

function resolveRules(
  raw: RawPermissions,
  table: TableModel,
  scope: Scope,
  { strictKeys }: RawSettings,
): TableRules {
  return {
    select: raw.select && resolveSelect(raw.select, table, scope, strictKeys),
    insert: raw.insert && resolveInsert(raw.insert, table, scope),
    update: raw.update && resolveUpdate(raw.update, table, scope),
    delete: raw.delete && resolveDelete(raw.delete, table, scope),
  };
}

const everything: BoolExp = { kind: 'and', items: [] };

/** Returns the rules of the admin role: every row and column of every table of the metadata. */
export function adminTables(
  tables: ReadonlyMap<TableKey, TableModel>,
): ReadonlyMap<TableKey, TablePermissions> {
  const rules = new Map([...tables].map(([key, one]) => [key, asWritable(one, adminRules(one))]));
  return addRelationships(rules, tables, false);
}

function adminRules(table: TableModel): TableRules {
  const columns = [...table.columns.keys()];
  const writable = columns.filter((name) => !table.columns.get(name)?.generated);
  const shared = { variables: [], position: table.position };
  const written = { references: [], presets: [], columns: writable, backendOnly: false, ...shared };
  return {
    select: {
      ...{ filter: everything, columns, computedFields: fieldsOfWholeRow(table) },
      ...{
        columnMasks: new Map(),
        fieldMasks: new Map(),
        allowAggregations: true,
        limit: undefined,
      },
      queryFields: undefined,
      subscriptionFields: undefined,
      ...shared,
    },
    insert: { check: everything, ...written },
    update: { filter: everything, check: everything, ...written },
    delete: { filter: everything, backendOnly: false, ...shared },
  };
}

/**
 * Removes the write rules that a view does not support, e.g. an insert rule for a view into which nothing can be
 * inserted.
 */
export function asWritable({ view }: TableModel, rules: TableRules): TableRules {
  if (!view) return rules;
  return {
    select: rules.select,
    insert: view.insertable ? rules.insert : undefined,
    update: view.updatable ? rules.update : undefined,
    delete: view.deletable ? rules.delete : undefined,
  };
}
