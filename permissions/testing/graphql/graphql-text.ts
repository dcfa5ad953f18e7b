import { parseArray } from '../../expressions/literals.ts';
import type { TableModel } from '../../types/tables.ts';
import type { RowValues } from '../run/session.ts';

export function fieldName(table: TableModel, column: string): string {
  return table.columns.get(column)?.graphqlName ?? column;
}

/** Writes the filter that finds a row by its primary key. */
export function keyFilter(table: TableModel, values: RowValues): string {
  const parts = table.primaryKey.map((column) => {
    const value = valueText(table, column, values.get(column) ?? null);
    return `${fieldName(table, column)}: { _eq: ${value} }`;
  });
  return `{ ${parts.join(', ')} }`;
}

/** Writes the values of a new or changed row. Undefined when a value has no literal in GraphQL, such as jsonb. */
export function objectText(table: TableModel, values: RowValues): string | undefined {
  const parts = [...values].map(([column, text]) => {
    const value = valueText(table, column, text);
    return value && `${fieldName(table, column)}: ${value}`;
  });
  return parts.includes(undefined) ? undefined : `{ ${parts.join(', ')} }`;
}

const numbers: ReadonlySet<string> = new Set([
  'int2',
  'int4',
  'int8',
  'numeric',
  'float4',
  'float8',
]);

function valueText(table: TableModel, column: string, text: string | null): string | undefined {
  const found = table.columns.get(column);
  if (text === null) return 'null';
  if (!found || found.type.name === 'json' || found.type.name === 'jsonb') return undefined;
  if (found.type.element) {
    const items = parseArray(text);
    return items && `[${items.map((item) => JSON.stringify(item)).join(', ')}]`;
  }
  if (found.enumTable !== undefined) return text;
  if (found.type.name === 'bool') return text === 't' || text === 'true' ? 'true' : 'false';
  return numbers.has(found.type.name) ? text : JSON.stringify(text);
}
