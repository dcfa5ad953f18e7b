import type { RawPermissions, RawSettings } from '../load/raw.ts';
import { passesEveryRow } from './every-row.ts';
import { withReferences } from './references.ts';
import { fieldsOfWholeRow, readsWholeRow } from './resolve-computed-fields.ts';
import { resolveDelete, resolveInsert, resolveSelect, resolveUpdate } from './resolve-rules.ts';
import type { Scope } from './scope.ts';
import type { TrackedTable } from './tables.ts';
import type {
  BoolExp,
  Relationship,
  SelectRule,
  TableKey,
  TableModel,
  TablePermissions,
  TableRules,
} from './types.ts';

/** All rules of one role, with the relationships that they open. */
export function roleTables(
  role: string,
  tracked: readonly TrackedTable[],
  scope: Scope,
  settings: RawSettings,
): ReadonlyMap<TableKey, TablePermissions> {
  const rules = new Map<TableKey, TableRules>();
  for (const { raw, key } of tracked) {
    const permissions = raw.permissions.find((one) => one.role.name === role);
    const table = scope.tables.get(key);
    if (permissions && table) rules.set(key, resolveRules(permissions, table, scope, settings));
  }
  const bound = settings.referencesVisible ? withReferences(rules, scope) : rules;
  return withRelationships(bound, scope.tables, settings.strictKeys);
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

/** The admin role: every row and column of every table of the metadata. */
export function adminTables(
  tables: ReadonlyMap<TableKey, TableModel>,
): ReadonlyMap<TableKey, TablePermissions> {
  const rules = new Map([...tables].map(([key, table]) => [key, adminRules(table)]));
  return withRelationships(rules, tables, false);
}

function adminRules(table: TableModel): TableRules {
  const columns = [...table.columns.keys()];
  const writable = columns.filter((name) => !table.columns.get(name)?.generated);
  const shared = { variables: [], position: table.position };
  const written = { references: [], presets: [], columns: writable, backendOnly: false, ...shared };
  return {
    select: {
      ...{ filter: everything, columns, computedFields: fieldsOfWholeRow(table) },
      ...{ allowAggregations: true, limit: undefined },
      ...shared,
    },
    insert: { check: everything, ...written },
    update: { filter: everything, check: everything, ...written },
    delete: { filter: everything, backendOnly: false, ...shared },
  };
}

/** Adds the relationships whose both ends may be read, and the hidden keys that they join by. */
function withRelationships(
  rules: ReadonlyMap<TableKey, TableRules>,
  tables: ReadonlyMap<TableKey, TableModel>,
  strictKeys: boolean,
): ReadonlyMap<TableKey, TablePermissions> {
  const hidden = new Map<TableKey, Set<string>>();
  const hide = (key: TableKey, column: string): void => {
    if (rules.get(key)?.select?.columns.includes(column)) return;
    hidden.set(key, (hidden.get(key) ?? new Set()).add(column));
  };
  const open = new Map<TableKey, ReadonlyMap<string, Relationship>>();
  for (const key of rules.keys()) {
    const found = openRelationships(key, rules, tables, strictKeys);
    open.set(key, new Map(found.map((one) => [one.name, one])));
    for (const relationship of found) {
      for (const { local, remote } of relationship.columns) {
        hide(key, local);
        hide(relationship.table, remote);
      }
    }
  }
  for (const [key, rule] of rules) {
    if (rule.select?.columns.length === 0) hide(key, countable(tables.get(key)));
    for (const column of keysOfComputed(rule, tables.get(key))) hide(key, column);
  }
  return new Map(
    [...rules].map(([key, rule]) => [
      key,
      {
        ...rule,
        relationships: open.get(key) ?? new Map(),
        hiddenKeys: [...(hidden.get(key) ?? [])].sort(),
        computedRows: openRows(rule, key, tables, rules),
      },
    ]),
  );
}

/** Postgres counts rows only for a role that may read some column. */
function countable(table: TableModel | undefined): string {
  return table?.primaryKey[0] ?? table?.columns.keys().next().value ?? '';
}

/** Fields of a row that a role does not read as a whole are found by its key. */
function keysOfComputed({ select }: TableRules, table: TableModel | undefined): readonly string[] {
  const isByKey = select && table && !readsWholeRow(select, table);
  return isByKey && select.computedFields.length > 0 ? table.primaryKey : [];
}

/**
 * Computed fields that give rows which the role may select by themselves, from rows that it may hand to a function.
 * What a function gives that acts with the rights of its owner is held to no rule, and a login may make up the row and
 * the session that it hands over: such a function is for those whom no rule holds back, and where it asks for no session.
 */
function openRows(
  { select }: TableRules,
  key: TableKey,
  tables: ReadonlyMap<TableKey, TableModel>,
  rules: ReadonlyMap<TableKey, TableRules>,
): readonly string[] {
  const table = tables.get(key);
  if (!select || !table || !readsWholeRow(select, table)) return [];
  const open = [...table.computedFields.values()].filter((field) => {
    const { result, definer } = field;
    const remote = result.kind === 'rows' && rules.get(result.table)?.select;
    if (!remote || !definer) return remote;
    const isFree = seesAll(select, table) && seesAll(remote, tables.get(result.table));
    return isFree && field.arguments.every(({ kind }) => kind !== 'session');
  });
  return open.map(({ name }) => name);
}

function seesAll(select: SelectRule, table: TableModel | undefined): boolean {
  return table !== undefined && readsWholeRow(select, table) && passesEveryRow(select.filter);
}

function openRelationships(
  key: TableKey,
  rules: ReadonlyMap<TableKey, TableRules>,
  tables: ReadonlyMap<TableKey, TableModel>,
  strictKeys: boolean,
): readonly Relationship[] {
  const local = rules.get(key)?.select;
  if (!local) return [];
  return [...(tables.get(key)?.relationships.values() ?? [])].flatMap((relationship) => {
    const remote = rules.get(relationship.table)?.select;
    if (!remote) return [];
    const isSeen = relationship.columns.every(
      (pair) => local.columns.includes(pair.local) && remote.columns.includes(pair.remote),
    );
    const isCertain = relationship.isCertain && passesEveryRow(remote.filter);
    return strictKeys && !isSeen ? [] : [{ ...relationship, isCertain }];
  });
}
