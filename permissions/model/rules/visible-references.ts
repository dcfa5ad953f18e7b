import type { CatalogForeignKey, CatalogTable, CatalogType } from '../../catalog/types.ts';
import { leadsAnywhere } from '../../expressions/combine.ts';
import { columnType, type Scope } from '../../expressions/resolve/scope.ts';
import type { OperatorName, TableKey } from '../../types/names.ts';
import type { InsertRule, Reference, TableRules, UpdateRule } from '../../types/rules.ts';
import type { Relationship, TableModel } from '../../types/tables.ts';
import { viewReferences } from './view-references.ts';

/**
 * Restricts the foreign keys that a role may write: a foreign key in the columns of a rule must refer to a row that
 * passes the role's own select filter. Otherwise a role could attach its rows to rows of another tenant. Keys that a
 * preset or a default fills in are not restricted, because the metadata or the database chose the value.
 */
export function addVisibleReferences(
  rules: ReadonlyMap<TableKey, TableRules>,
  scope: Scope,
): ReadonlyMap<TableKey, TableRules> {
  return new Map(
    [...rules].map(([key, rule]) => {
      const table = scope.tables.get(key);
      const { insert, update } = rule;
      const own = scope.catalog.tables.get(key)?.foreignKeys ?? [];
      const below = table ? keysBelow(table, scope) : [];
      const isPartitioned = scope.catalog.tables.get(key)?.kind === 'p';
      const written = (
        { columns, position }: InsertRule | UpdateRule,
        keys: readonly CatalogForeignKey[],
      ): readonly Reference[] => {
        if (table?.view) return viewReferences(table, columns, position, { rules, scope });
        return table ? references(table, columns, keys, { rules, scope }) : [];
      };
      return [
        key,
        {
          ...rule,
          insert: insert && {
            ...insert,
            references: written(insert, isPartitioned ? [...own, ...below] : own),
          },
          update: update && {
            ...update,
            references: written(update, [...own, ...below]),
          },
        },
      ];
    }),
  );
}

/**
 * Returns the foreign keys that only child tables have. The parent's rules must check these keys, because a write
 * through the parent is subject only to the policies of the parent.
 */
function keysBelow(table: TableModel, { catalog }: Scope): readonly CatalogForeignKey[] {
  const seen = new Set(catalog.tables.get(table.key)?.foreignKeys.map(pathKey));
  const keys = catalog.tables
    .get(table.key)
    ?.descendants.flatMap((name) => catalog.tables.get(name)?.foreignKeys ?? []);
  return (keys ?? []).filter((key) => {
    if (seen.has(pathKey(key)) || !key.columns.every((column) => table.columns.has(column)))
      return false;
    seen.add(pathKey(key));
    return true;
  });
}

function pathKey({ columns, table, remoteColumns }: CatalogForeignKey): string {
  return JSON.stringify([columns, table, remoteColumns]);
}

function references(
  table: TableModel,
  columns: readonly string[],
  keys: readonly CatalogForeignKey[],
  { rules, scope }: { readonly rules: ReadonlyMap<TableKey, TableRules>; readonly scope: Scope },
): readonly Reference[] {
  // A generated column counts as written, because clients change it by writing its source columns.
  const isWritten = (column: string) =>
    columns.includes(column) || table.columns.get(column)?.generated === true;
  return keys.flatMap((key) => {
    if (columns.length === 0 || !key.columns.some(isWritten)) return [];
    const filter = rules.get(key.table)?.select?.filter;
    if (leadsAnywhere(filter, scope.tables.get(key.table))) return [];
    const relationship = alongKey(table, key, scope);
    return relationship ? [{ relationship, filter }] : [];
  });
}

/** Returns the relationship along a foreign key. Undefined if its columns cannot be compared, which is reported. */
function alongKey(
  table: TableModel,
  key: CatalogForeignKey,
  scope: Scope,
): Relationship | undefined {
  if (key.period) {
    scope.report.error(
      'RG_UNKNOWN_OPERATOR',
      table.position,
      `foreign key "${key.name}" of ${table.schema}.${table.name} refers to all rows that cover a period, which references_visible cannot compare`,
      'let no client write its columns, or do without references_visible',
    );
    return undefined;
  }
  const remote = scope.catalog.tables.get(key.table);
  const columns = key.columns.flatMap((local, index) => {
    const name = key.remoteColumns[index] ?? '';
    const column = remote?.columns.find((one) => one.name === name);
    const equals = column && equality(columnType(scope, table, local), column, scope);
    return equals ? [{ local, remote: name, equals }] : [];
  });
  if (columns.length === key.columns.length)
    return {
      name: key.name,
      kind: 'object',
      table: key.table,
      columns,
      insertFirst: 'remote',
      isCertain: false,
    };
  scope.report.error(
    'RG_UNKNOWN_OPERATOR',
    table.position,
    `the columns of foreign key "${key.name}" of ${table.schema}.${table.name} have no operator = with the columns that it refers to`,
    'let the operator belong to the owner of its type, or do without references_visible',
  );
  return undefined;
}

/**
 * Returns the operator that compares the two columns of a foreign key. When their types share no operator, the own
 * column is compared as the type of the other table, as Postgres itself does.
 */
function equality(
  local: CatalogType,
  remote: CatalogTable['columns'][number],
  { catalog }: Scope,
): OperatorName | undefined {
  const type = catalog.type(remote.type);
  return (catalog.operator('=', local, type) ?? catalog.operator('=', type))?.operator;
}
