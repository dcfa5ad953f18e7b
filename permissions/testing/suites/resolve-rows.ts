import { tableKey } from '../../catalog/catalog.ts';
import type { Report } from '../../diagnostics.ts';
import type { RawTestsFile } from '../../metadata/schemas/tests.ts';
import { splitTableName } from '../../metadata/split-table-name.ts';
import type { RawName, RawNode } from '../../metadata/yaml/node.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Model } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import { columnValues, keyOf, type RowScope } from './resolve-values.ts';
import type { NamedRow } from './suite.ts';

/** Resolves the named rows of a file, and adds them to `rows` in their order. */
export function addRows(
  { existing, fixtures }: Pick<RawTestsFile, 'existing' | 'fixtures'>,
  rows: Map<string, NamedRow>,
  model: Model,
  report: Report,
): void {
  const scope: RowScope = { rows, report };
  for (const [kind, tables] of [['existing', existing] as const, ['fixture', fixtures] as const]) {
    for (const { key, value } of tables) {
      const table = tableNamed(key, model, report);
      for (const row of table ? value : []) {
        refuseTaken(row.key, rows, report);
        const made = table && makeRow(kind, row.key, row.value, table, scope);
        if (made) rows.set(row.key.name, made);
      }
    }
  }
}

/** Returns a table of the metadata by its name. Undefined if there is none, which is reported. */
export function tableNamed(name: RawName, model: Model, report: Report): TableModel | undefined {
  const parts = splitTableName(name, report);
  if (!parts) return undefined;
  const found = model.tables.get(tableKey(parts.schema, parts.table));
  if (found) return found;
  const all = [...model.tables.values()];
  const names = all.map((one) =>
    one.schema === 'public' ? one.name : `${one.schema}.${one.name}`,
  );
  const message = `the metadata has no table ${quote(name.name)}`;
  report.error('RG_UNKNOWN_TABLE', name.position, message, didYouMean(name.name, names));
  return undefined;
}

function refuseTaken(
  { name, position }: RawName,
  rows: ReadonlyMap<string, NamedRow>,
  report: Report,
) {
  const other = rows.get(name);
  if (other) {
    const { file, line } = other.position;
    const message = `another row is called ${quote(name)}, in ${file}:${line}`;
    report.error('RG_TEST', position, message, 'give one of them another name');
  } else if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)) {
    const message = `${quote(name)} cannot name a row`;
    report.error('RG_TEST', position, message, 'use letters, digits, underscores and dashes');
  }
}

function makeRow(
  kind: 'existing' | 'fixture',
  { name, position }: RawName,
  node: RawNode,
  table: TableModel,
  scope: RowScope,
): NamedRow | undefined {
  const head = { name, table, position };
  if (kind === 'existing') {
    const key = keyOf(node, table, scope);
    return key && { ...head, source: { kind, key } };
  }
  const { like, values } = likeAndValues(node, table, scope);
  return { ...head, source: { kind, like, values } };
}

/** Splits `_like: name` from the columns of a row. The copied row must be one of the same table, above. */
export function likeAndValues(node: RawNode, table: TableModel, scope: RowScope) {
  const entries = node.kind === 'map' ? node.entries : [];
  const written = entries.find(({ key }) => key === '_like')?.value;
  const values = columnValues(
    entries.filter(({ key }) => key !== '_like'),
    table,
    scope,
  );
  const like = written?.kind === 'scalar' ? String(written.value).replace(/^\$/, '') : undefined;
  if (!written || (like !== undefined && scope.rows.get(like)?.table.key === table.key)) {
    return { like, values };
  }
  const names = [...scope.rows.values()]
    .filter((row) => row.table.key === table.key)
    .map((row) => row.name);
  const message = `_like names no row of ${table.schema}.${table.name} above`;
  scope.report.error('RG_TEST', written.position, message, didYouMean(like ?? '', names));
  return { like: undefined, values };
}
