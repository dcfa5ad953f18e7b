import { type SQL, sql } from 'postgraphile/pg-sql2';
import { presetOnlyColumn } from '../../../../permissions/index.ts';
import { RequestError, validationFailed } from '../../request-error.ts';
import { sqlTypeOf } from '../../schema/registry/column-type.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import { type UpdateOperator, updateOperators } from '../../schema/view/update-operators.ts';
import { operator, TEXT } from '../fragments.ts';
import { encoderOf, encodeText, listOf } from '../input/encode.ts';
import type { Input } from '../input/input.ts';

/** The changes that an update makes to each row. */
export interface Changes {
  /** `column = …`; empty when the update changes nothing. */
  readonly assignments: readonly SQL[];
  /** Columns that get new values, by their names in the table. */
  readonly columns: ReadonlySet<string>;
  /** True if a new value depends on the old row, as with `_inc`. Postgres then requires the right to read that row. */
  readonly readsRow: boolean;
}

/**
 * Compiles `_set`, `_inc` and the other update operators; `alias` is the row before the update. @throws RequestError
 */
export function compileChanges(
  table: TableView,
  alias: SQL,
  args: Readonly<Record<string, Input>>,
  path: string,
): Changes {
  const { update } = table;
  if (!update) throw new Error(`${table.name} passed the check but cannot be updated`);
  const operators = updateOperators(update, table.readable);
  const given = operators.filter(({ name }) => args[name] && !args[name].isNull());
  const presets = update.rule.presets;
  if (given.length === 0 && presets.length === 0) {
    const names = operators.map(({ name }) => name).join(', ');
    throw validationFailed(`at least any one of ${names} is expected`, path);
  }
  const assigned = new Map<string, SQL>();
  const twice: string[] = [];
  for (const one of given) {
    for (const [name, value] of args[one.name]?.fields() ?? []) {
      const column = one.columns.get(name);
      if (!column) throw new Error(`${table.name} has no ${name} for ${one.name}`);
      if (assigned.has(column.column)) twice.push(`'${name}'`);
      assigned.set(column.column, newValue(one, column, alias, value));
    }
  }
  if (twice.length > 0) {
    const names = [...new Set(twice)].join(', ');
    throw validationFailed(`Column found in multiple operators: [${names}].`, path);
  }
  const columns = new Set([...assigned.keys(), ...presets.map((preset) => preset.column)]);
  return {
    assignments: assignmentsOf(table, assigned, path),
    columns,
    readsRow:
      given.some(({ name }) => name !== '_set') ||
      (assigned.size === 0 && presetOnlyColumn(update.rule) === undefined),
  };
}

function assignmentsOf(
  table: TableView,
  assigned: ReadonlyMap<string, SQL>,
  path: string,
): readonly SQL[] {
  if (assigned.size > 0) {
    return [...assigned].map(([name, value]) => sql`${sql.identifier(name)} = ${value}`);
  }
  const rule = table.update?.rule;
  if (!rule || rule.presets.length === 0) return [];
  // Presets apply whenever a row is updated, but an update statement must assign at least one column.
  const only = presetOnlyColumn(rule);
  if (only !== undefined) return [sql`${sql.identifier(only)} = null`];
  const unchanged = rule.columns.find((name) => table.readable.has(name));
  if (unchanged !== undefined)
    return [sql`${sql.identifier(unchanged)} = ${sql.identifier(unchanged)}`];
  throw new RequestError(
    'not-supported',
    `give a value for a column of ${table.name}: the role may read none of the columns that it may update`,
    path,
  );
}

function newValue(
  { name, operand }: UpdateOperator,
  { column, scalar }: ColumnView,
  alias: SQL,
  value: Input,
): SQL {
  const old = sql`${alias}.${sql.identifier(column)}`;
  const symbol = (text: string) => operator({ schema: 'pg_catalog', symbol: text });
  const typed = () => sql`${value.parameter(encoderOf(scalar))}::${sqlTypeOf(scalar.type)}`;
  switch (name) {
    case '_set':
      return typed();
    case '_inc':
      return sql`${old} ${symbol('+')} ${typed()}`;
    case '_append':
      return sql`${old} ${symbol('||')} ${typed()}`;
    case '_prepend':
      return sql`${typed()} ${symbol('||')} ${old}`;
    case '_delete_key':
      return sql`${old} ${symbol('-')} ${value.parameter(encodeText)}${TEXT}`;
    case '_delete_elem':
      return sql`${old} ${symbol('-')} ${value.parameter(encodeText)}::pg_catalog.int4`;
    case '_delete_at_path':
      return sql`${old} ${symbol('#-')} ${value.parameter(listOf(encodeText))}${TEXT}[]`;
    default:
      throw new Error(`no update operator ${name satisfies never} of ${operand}`);
  }
}
