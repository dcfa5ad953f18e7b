import { tableKey } from '../../catalog/catalog.ts';
import type { RawColumns } from '../../metadata/schemas/tables/table-rules.ts';
import type { RawAggregates, RawMay, RawTest, RawTestsFile } from '../../metadata/schemas/tests.ts';
import type { MapEntry, Placed } from '../../metadata/shape/shape.ts';
import type { RawName, RawNode } from '../../metadata/yaml/node.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Model } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import { likeAndValues } from './resolve-rows.ts';
import { columnValues, type RowScope, rowReference } from './resolve-values.ts';
import type {
  AggregateFunction,
  ExpectedAggregate,
  ExpectedColumns,
  ExpectedRights,
  PermissionTest,
  Principal,
} from './suite.ts';

export interface TestScope extends RowScope {
  readonly principals: ReadonlyMap<string, Principal>;
  readonly model: Model;
  /** The table of tests without one of their own. */
  readonly table: RawTestsFile['table'];
}

/** Returns the expectations of a test: one for each principal. Reports every name that leads nowhere. */
export function resolveTest(raw: RawTest, scope: TestScope): readonly PermissionTest[] {
  const table = tableOf(raw, scope);
  if (!table) return [];
  const head = { title: raw.test.name, table, position: raw.position };
  const each = <T>(
    entries: readonly MapEntry<T>[] | undefined,
    make: (principal: Principal, value: T) => PermissionTest,
  ): readonly PermissionTest[] =>
    (entries ?? []).flatMap(({ key, value }) => {
      const principal = principalNamed(key, scope);
      return principal ? [{ ...make(principal, value), position: key.position }] : [];
    });
  return [
    ...each(raw.may, (principal, value) => ({
      ...{ ...head, kind: 'may', principal, rights: rightsOf(value, table, scope) },
    })),
    ...each(raw.matrix, (principal, value) => ({
      ...{ ...head, kind: 'matrix', principal, allowed: allowedOf(value, table, scope) },
    })),
    ...each(raw.list, (principal, value) => {
      const rows = value.flatMap((one) => rowReference(one, table, scope) ?? []);
      return { ...head, kind: 'list', principal, rows };
    }),
    ...each(raw.aggregates, (principal, value) => ({
      ...{ ...head, kind: 'aggregates', principal, count: value.count },
      values: aggregatesOf(value, table, scope),
    })),
    ...writesOf(raw, table, scope),
  ];
}

function tableOf(raw: RawTest, { table: usual, model, report }: TestScope) {
  const named = raw.table ?? usual;
  if (!named) {
    report.error(
      'RG_TEST',
      raw.position,
      'the test names no table',
      'add table: to it or the file',
    );
    return undefined;
  }
  const found = model.tables.get(tableKey(named.schema, named.table));
  if (found) return found;
  const names = [...model.tables.values()].map(({ name }) => name);
  const message = `the metadata has no table ${quote(named.name)}`;
  report.error('RG_UNKNOWN_TABLE', named.position, message, didYouMean(named.table, names));
  return undefined;
}

function principalNamed({ name, position }: RawName, { principals, report }: TestScope) {
  const found = principals.get(name);
  if (found) return found;
  const message = `no principal is called ${quote(name)}`;
  report.error('RG_TEST', position, message, didYouMean(name, principals.keys()));
  return undefined;
}

function rightsOf(raw: RawMay, table: TableModel, scope: TestScope): ExpectedRights {
  const columnsOf = (given: RawColumns | undefined) => expectedColumns(given, table, scope);
  return {
    select: columnsOf(raw.select),
    insert: columnsOf(raw.insert),
    update: columnsOf(raw.update),
    delete: raw.delete,
    aggregate: raw.aggregate,
  };
}

function expectedColumns(
  raw: RawColumns | undefined,
  table: TableModel,
  { report }: TestScope,
): ExpectedColumns {
  if (raw?.kind !== 'list') return raw && [...table.columns.keys()];
  for (const { name, position } of raw.names) {
    if (table.columns.has(name)) continue;
    const message = `column ${quote(name)} does not exist on ${table.schema}.${table.name}`;
    const near = didYouMean(name, table.columns.keys());
    report.error('RG_UNKNOWN_COLUMN', position, message, near);
  }
  return raw.names.map(({ name }) => name);
}

function allowedOf(
  entries: NonNullable<RawTest['matrix']>[number]['value'],
  table: TableModel,
  scope: TestScope,
) {
  return new Map(
    entries.map(({ key, value }) => {
      const row = rowReference(nodeOf(key), table, scope);
      if (row?.kind === 'key') {
        const message = `no row of ${table.schema}.${table.name} has a name in this file`;
        scope.report.error(
          'RG_TEST',
          key.position,
          message,
          'name rows under existing or fixtures',
        );
      }
      return [key.name, value];
    }),
  );
}

function nodeOf({ name, position }: Placed<string>): RawNode {
  return { kind: 'scalar', value: name, source: name, position };
}

function aggregatesOf(
  raw: RawAggregates,
  table: TableModel,
  scope: TestScope,
): readonly ExpectedAggregate[] {
  const of = (name: AggregateFunction): readonly ExpectedAggregate[] => {
    const given = raw[name];
    const entries = given?.kind === 'map' ? given.entries : [];
    return columnValues(entries, table, scope).map((column) => ({ function: name, column }));
  };
  return [...of('sum'), ...of('min'), ...of('max')];
}

function writesOf(raw: RawTest, table: TableModel, scope: TestScope): readonly PermissionTest[] {
  const principal = raw.as && principalNamed(raw.as, scope);
  if (!principal) return [];
  const valuesOf = (node: RawNode | undefined) =>
    columnValues(node?.kind === 'map' ? node.entries : [], table, scope);
  const { refused, position } = raw;
  const written = valuesOf(raw.written);
  const head = { title: raw.test.name, table, position, principal, refused, written };
  if (raw.insert) return [{ ...head, kind: 'insert', ...likeAndValues(raw.insert, table, scope) }];
  const target = raw.update ?? raw.delete;
  const row = target && rowReference(target, table, scope);
  if (!row) return [];
  return raw.update
    ? [{ ...head, kind: 'update', row, values: valuesOf(raw.set) }]
    : [{ ...head, kind: 'delete', row }];
}
