import type { Position, Report } from '../../diagnostics.ts';
import { literalText } from '../../expressions/literals.ts';
import { describeNode } from '../../metadata/yaml/locate.ts';
import type { RawEntry, RawNode } from '../../metadata/yaml/node.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { TypeName } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';
import type { ColumnValue, NamedRow, RowKey, RowReference, TestValue } from './suite.ts';

/** The rows that a value or a reference may name. */
export interface RowScope {
  readonly rows: ReadonlyMap<string, NamedRow>;
  readonly report: Report;
}

const reference = /^\$([\p{L}_][\p{L}\p{N}_-]*)(?:\.(.+))?$/u;

/** Returns the columns of a map with their values. Reports unknown columns and values that do not fit. */
export function columnValues(
  entries: readonly RawEntry[],
  table: TableModel,
  scope: RowScope,
): readonly ColumnValue[] {
  return entries.flatMap(({ key, keyPosition, value }) => {
    const column = table.columns.get(key);
    if (!column) {
      const message = `column ${quote(key)} does not exist on ${table.schema}.${table.name}`;
      const near = didYouMean(key, table.columns.keys());
      scope.report.error('RG_UNKNOWN_COLUMN', keyPosition, message, near);
      return [];
    }
    const found = testValue(value, column.type, scope);
    return found ? [{ column: key, type: column.type, value: found }] : [];
  });
}

/** Returns the value of a column. Undefined after a value that does not fit, which is reported. */
export function testValue(node: RawNode, type: TypeName, scope: RowScope): TestValue | undefined {
  if (node.kind === 'scalar' && node.value === null) return { kind: 'null' };
  const named = node.kind === 'scalar' ? referenceIn(node.value, node.position, scope) : undefined;
  if (named !== undefined) return named === 'unknown' ? undefined : named;
  const plain = node.kind === 'scalar' ? unescaped(node) : node;
  const text = literalText(plain, type);
  if (text !== undefined) return { kind: 'text', text };
  const message = `${describeNode(node)} is no value of type ${type.name}`;
  scope.report.error('RG_BAD_VALUE', node.position, message);
  return undefined;
}

/** Returns a text that begins with `$$` with one `$` less. */
function unescaped(node: Extract<RawNode, { kind: 'scalar' }>): RawNode {
  const { value } = node;
  return typeof value === 'string' && value.startsWith('$$')
    ? { ...node, value: value.slice(1), source: node.source }
    : node;
}

/** Returns the reference that a text is; undefined for any other value, `unknown` after a mistake. */
export function referenceIn(
  value: unknown,
  position: Position,
  { rows, report }: RowScope,
): Extract<TestValue, { kind: 'reference' }> | 'unknown' | undefined {
  const [, name, column] = typeof value === 'string' ? (reference.exec(value) ?? []) : [];
  if (name === undefined) return undefined;
  const row = rows.get(name);
  if (!row) {
    const message = `no row above is called ${quote(name)}`;
    const hint = didYouMean(name, rows.keys()) ?? 'write "$$" for a text that begins with "$"';
    report.error('RG_TEST', position, message, hint);
    return 'unknown';
  }
  const [key, ...more] = row.table.primaryKey;
  const found = column ?? (more.length === 0 ? key : undefined);
  if (found !== undefined && row.table.columns.has(found)) {
    return { kind: 'reference', row: name, column: found };
  }
  const message = `${quote(String(value))} names no column of the row`;
  report.error('RG_TEST', position, message, `write $${name}.column`);
  return 'unknown';
}

/** Returns the key of an existing row: a single value, or a map of the columns of the primary key. */
export function keyOf(node: RawNode, table: TableModel, scope: RowScope): RowKey | undefined {
  const [only, ...more] = table.primaryKey;
  const refuse = (message: string) => {
    scope.report.error('RG_TEST', node.position, message, 'name the row by its primary key');
    return undefined;
  };
  if (only === undefined) return refuse(`${table.schema}.${table.name} has no primary key`);
  const label = node.kind === 'scalar' ? String(node.value) : JSON.stringify(plain(node));
  if (node.kind === 'map') {
    const values = columnValues(node.entries, table, scope);
    const complete = table.primaryKey.every((key) => values.some(({ column }) => column === key));
    return complete ? { kind: 'key', values, label } : refuse('the key lacks a column');
  }
  const type = table.columns.get(only)?.type;
  if (node.kind === 'list' || more.length > 0 || !type) {
    return refuse(`the key of a row has the columns ${table.primaryKey.join(', ')}`);
  }
  const value = testValue(node, type, scope);
  return value && { kind: 'key', values: [{ column: only, type, value }], label };
}

function plain(node: RawNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
}

/** Returns the row that a test names. A name of another table is reported. */
export function rowReference(
  node: RawNode,
  table: TableModel,
  scope: RowScope,
): RowReference | undefined {
  const text = node.kind === 'scalar' ? String(node.value) : '';
  const found = scope.rows.get(text);
  if (found?.table.key === table.key) return { kind: 'name', name: text };
  const known = [...scope.rows.values()].filter((row) => row.table.key === table.key);
  if (known.length === 0) return keyOf(node, table, scope);
  const message = `no row of ${table.schema}.${table.name} is called ${quote(text)}`;
  const names = known.map(({ name }) => name);
  const hint = didYouMean(text, names) ?? `the rows are ${names.join(', ')}`;
  scope.report.error('RG_TEST', node.position, message, hint);
  return undefined;
}
