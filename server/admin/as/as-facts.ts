import type { Static } from 'typebox';
import {
  type Model,
  type RoleModel,
  ruleOperations,
  type TableModel,
  titledHeader,
} from '../../../permissions/index.ts';
import type { roleAnswer, tableAnswer } from './as-bodies.ts';

/** Returns the session variables that the rules of a role read. */
export function variablesOfRole(
  role: RoleModel,
  { headerPrefix }: Model,
): Static<typeof roleAnswer>['variables'] {
  const read = [...role.tables.values()].flatMap((rules) =>
    ruleOperations.flatMap((operation) => rules[operation]?.variables ?? []),
  );
  const names = new Set([...role.requires, ...read.map(({ variable }) => variable)]);
  return [...names].map((name) => ({
    header: titledHeader(name, headerPrefix),
    isRequired: role.requires.includes(name),
  }));
}

/** Returns the columns and relationships of a table, with what a role may do with them. */
export function factsOfTable(role: RoleModel, table: TableModel): Static<typeof tableAnswer> {
  const rules = role.tables.get(table.key);
  const shown = (name: string) => {
    if (!rules?.select?.columns.includes(name)) return 'no row' as const;
    return rules.select.columnMasks.has(name) ? ('some rows' as const) : ('all rows' as const);
  };
  const columns = [...table.columns.values()].map(({ name, type }) => ({
    name,
    type: type.element ? `${type.element.name}[]` : type.name,
    shown: shown(name),
    isInserted: rules?.insert?.columns.includes(name) ?? false,
    isUpdated: rules?.update?.columns.includes(name) ?? false,
  }));
  const relationships = [...table.relationships.values()].map((one) => ({
    ...{ name: one.name, kind: one.kind, table: one.table },
    columns: one.columns.map(({ local, remote }) => ({ local, remote })),
    isUsable: rules?.relationships.has(one.name) ?? false,
  }));
  const operations = ruleOperations.filter((operation) => rules?.[operation]);
  return { key: table.key, primaryKey: [...table.primaryKey], operations, columns, relationships };
}
