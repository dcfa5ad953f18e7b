import type { Operation } from '../../../types/rules.ts';
import type { Plain, PlainMap } from '../imported.ts';
import { type Cursor, field, flag, isEmpty, items, members, text } from '../input/cursor.ts';
import type { TrackedTable } from '../track-tables.ts';
import { plain, translateValue } from '../values.ts';
import { type FilterScope, translateFilter } from './translate-filter.ts';

const writeKeys = ['backend_only', 'validate_input'];

const keys: Readonly<Record<Operation, readonly string[]>> = {
  select: [
    ...['filter', 'columns', 'limit', 'allow_aggregations', 'computed_fields'],
    ...['query_root_fields', 'subscription_root_fields'],
  ],
  insert: ['check', 'columns', 'set', ...writeKeys],
  update: ['filter', 'check', 'columns', 'set', ...writeKeys],
  delete: ['filter', ...writeKeys],
};

/**
 * Translates the body of one permission. Problems are added to the scope. After `refuse`, the result must not be used.
 */
export function translateRule(
  permission: Cursor,
  command: Operation,
  table: TrackedTable,
  scope: FilterScope,
): PlainMap {
  refuseUnknown(permission, command, scope);
  const filter = (key: string) => expression(permission, key, table, scope);
  switch (command) {
    case 'select':
      return new Map<string, Plain>([
        ['filter', filter('filter')],
        ['columns', requiredColumns(permission, new Map(), scope)],
        ...computedFields(permission),
        ...readLimits(permission),
      ]);
    case 'insert': {
      const set = presets(permission, scope);
      const all = columns(permission, set) ?? '*';
      return written([['check', filter('check')]], set, all, permission);
    }
    case 'update': {
      const set = presets(permission, scope);
      // In Hasura, an update without a check may change a row in any way. An empty check has this effect in Rowgate;
      // without a check, Rowgate would use the filter as the check.
      const check: Plain = field(permission, 'check') ? filter('check') : new Map();
      const some = requiredColumns(permission, set, scope);
      return written(
        [
          ['filter', filter('filter')],
          ['check', check],
        ],
        set,
        some,
        permission,
      );
    }
    case 'delete':
      return new Map<string, Plain>([['filter', filter('filter')], ...backendOnly(permission)]);
  }
}

type Entries = readonly (readonly [string, Plain])[];

function written(conditions: Entries, set: PlainMap, named: Plain, permission: Cursor): PlainMap {
  return new Map<string, Plain>([
    ...conditions,
    ...(set.size > 0 ? [['set', set] as const] : []),
    ['columns', named],
    ...backendOnly(permission),
  ]);
}

/** Refuses a rule with an unknown key. The key may restrict the rule, so the rule without it could permit too much. */
function refuseUnknown(permission: Cursor, command: Operation, scope: FilterScope): void {
  for (const { key, value } of members(permission)) {
    if (isEmpty(value)) continue;
    if (!keys[command].includes(key)) scope.refuse(value, `"${key}" is not known`);
    if (key === 'validate_input')
      scope.refuse(value, 'rows are checked by a webhook', 'say what it checks in the rule');
  }
}

function expression(
  permission: Cursor,
  key: string,
  table: TrackedTable,
  scope: FilterScope,
): PlainMap {
  const value = field(permission, key);
  if (value) return translateFilter(value, table, scope);
  // A rule without a condition would open the whole table. Hasura, too, refuses such a permission.
  refuseMissing(key, permission, scope);
  return new Map();
}

/**
 * Returns the names of the columns, or `*`; undefined when the permission lists no columns. As in Hasura, clients may
 * not write columns to which `set` gives a value.
 */
function columns(permission: Cursor, set: PlainMap): Plain | undefined {
  const value = field(permission, 'columns');
  if (value?.node.kind === 'scalar' && value.node.value === '*') return '*';
  return (
    value &&
    items(value)
      .map(text)
      .filter((name) => !set.has(name))
  );
}

function requiredColumns(permission: Cursor, set: PlainMap, scope: FilterScope): Plain {
  const found = columns(permission, set);
  if (found === undefined) refuseMissing('columns', permission, scope);
  return found ?? [];
}

function refuseMissing(key: string, permission: Cursor, scope: FilterScope): void {
  const hint = key === 'columns' ? 'name them' : `write ${key}: {} for every row`;
  scope.refuse(permission, `"${key}" is missing`, hint);
}

function presets(permission: Cursor, scope: FilterScope): PlainMap {
  const found = members(field(permission, 'set')).map(({ key, value }) => {
    if (value.node.kind === 'scalar' && value.node.value === null) {
      const hint = 'take it out of set and columns where null is the default of the column';
      scope.refuse(value, `the column "${key}" is set to null`, hint);
    }
    return [key, translateValue(value, scope)] as const;
  });
  return new Map(found);
}

function backendOnly(permission: Cursor): Entries {
  return flag(field(permission, 'backend_only')) ? [['backend_only', true]] : [];
}

function readLimits(permission: Cursor): Entries {
  const limit = field(permission, 'limit');
  const aggregations = flag(field(permission, 'allow_aggregations'));
  return [
    ...(aggregations ? [['allow_aggregations', true] as const] : []),
    ...rootFields(permission, 'query_root_fields'),
    ...rootFields(permission, 'subscription_root_fields'),
    ...(limit ? [['limit', plain(limit.node)] as const] : []),
  ];
}

/**
 * Returns the setting for the root fields of a table. An empty list means that clients reach the rows only through
 * relationships of other tables.
 */
function rootFields(permission: Cursor, name: string): Entries {
  const given = members(permission).find(({ key }) => key === name)?.value;
  if (!given || (given.node.kind === 'scalar' && given.node.value === null)) return [];
  return [[name, items(given).map(text)]];
}

function computedFields(permission: Cursor): Entries {
  const given = field(permission, 'computed_fields');
  if (!given) return [];
  if (given.node.kind === 'scalar' && given.node.value === '*') return [['computed_fields', '*']];
  const names = items(given).map(text);
  return names.length > 0 ? [['computed_fields', names]] : [];
}
