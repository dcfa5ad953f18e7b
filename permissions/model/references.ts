import type { CatalogForeignKey } from '../catalog/types.ts';
import { columnType, type Scope } from './scope.ts';
import type {
  BoolExp,
  Reference,
  Relationship,
  TableKey,
  TableModel,
  TableRules,
} from './types.ts';

/**
 * Holds what a role writes to what it sees: a foreign key among the columns of a rule must lead to a row that
 * passes the role's own select filter, else a row could be hung below another tenant's. Keys that the rule or
 * a default fills in are the metadata's own decision.
 */
export function withReferences(
  rules: ReadonlyMap<TableKey, TableRules>,
  scope: Scope,
): ReadonlyMap<TableKey, TableRules> {
  return new Map(
    [...rules].map(([key, rule]) => {
      const table = scope.tables.get(key);
      const written = (columns: readonly string[]) =>
        table ? references(table, columns, rules, scope) : [];
      const { insert, update } = rule;
      return [
        key,
        {
          ...rule,
          insert: insert && { ...insert, references: written(insert.columns) },
          update: update && { ...update, references: written(update.columns) },
        },
      ];
    }),
  );
}

function references(
  table: TableModel,
  columns: readonly string[],
  rules: ReadonlyMap<TableKey, TableRules>,
  scope: Scope,
): readonly Reference[] {
  const keys = scope.catalog.tables.get(table.key)?.foreignKeys ?? [];
  return keys.flatMap((key) => {
    if (!key.columns.some((column) => columns.includes(column))) return [];
    const filter = rules.get(key.table)?.select?.filter;
    if (filter && isEverything(filter)) return [];
    return [{ relationship: alongKey(table, key, scope), filter }];
  });
}

function isEverything(filter: BoolExp): boolean {
  return filter.kind === 'and' && filter.items.every(isEverything);
}

function alongKey(table: TableModel, key: CatalogForeignKey, scope: Scope): Relationship {
  const remote = scope.catalog.tables.get(key.table);
  return {
    name: key.name,
    kind: 'object',
    table: key.table,
    columns: key.columns.map((local, index) => {
      const name = key.remoteColumns[index] ?? '';
      const column = remote?.columns.find((one) => one.name === name);
      const found =
        column &&
        scope.catalog.operator(
          '=',
          columnType(scope, table, local),
          scope.catalog.type(column.type),
        );
      if (!found) throw new RangeError(`foreign key ${key.name} of ${table.key} has no operator`);
      return { local, remote: name, equals: found.operator };
    }),
  };
}
