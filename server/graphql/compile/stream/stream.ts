import type { FieldNode } from 'postgraphile/graphql';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { TableKey } from '../../../../permissions/index.ts';
import { type RequestError, validationFailed } from '../../request-error.ts';
import { timeTypes } from '../../schema/view/builtin-types.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import type { StreamRoot } from '../../schema/view/role-view.ts';
import { isBuiltin } from '../../schema/view/scalar.ts';
import { boundedColumns } from '../bounded-columns.ts';
import type { Compilation } from '../compilation.ts';
import { newAlias, TEXT, tableName } from '../fragments.ts';
import { encoderOf } from '../input/encode.ts';
import type { Input, Parameter } from '../input/input.ts';
import { entryCondition, pagingOf } from '../list/list-source.ts';
import { keysOfWhere } from '../live/where-keys.ts';
import { compileRow } from '../rows.ts';
import { compileText, type StatementText } from '../statement.ts';
import { compileWhere } from '../where/where.ts';
import { isBeyond, isNamed, place, type Step } from './stream-conditions.ts';

/** The statements of a stream. Each returns the rows as JSON, their primary keys, and the place of the last row. */
export interface StreamPlan {
  readonly table: TableKey;
  /** The columns of the cursor, by their names in the table. */
  readonly cursor: readonly string[];
  /** The initial values of times. */
  readonly initial: readonly Parameter[];
  readonly batchSize: number;
  /** Reads the first rows. */
  readonly first: StatementText;
  /** Reads the rows after a place. Its values are the values of the place. */
  readonly next: StatementText;
  /** Reads named rows. Its values are array literals, one for each column of the primary key. */
  readonly pick: StatementText;
}

type Beginning = Step & { readonly value: Input };

/** A cursor as the client gives it. */
interface Cursor {
  readonly column: ColumnView;
  readonly isDescending: boolean;
  /** Undefined: the stream begins with the first row. */
  readonly initial: Input | undefined;
}

/** Compiles the field `t_stream`. @throws RequestError */
export function compileStream(
  compilation: Compilation,
  { table, cursors: known }: StreamRoot,
  nodes: readonly FieldNode[],
): StreamPlan {
  const [node] = nodes;
  const path = `$.selectionSet.${node?.name.value}`;
  const args = node ? compilation.argumentsOf(node) : {};
  const cursors = cursorsOf(known, args.cursor, `${path}.args.cursor`);
  const batchSize = batchSizeOf(compilation, table.select.limit, args.batch_size, path);
  const alias = newAlias();
  const { where } = args;
  compilation.readRows(table, { alias, keys: () => keysOfWhere(table, where) });
  compilation.counter.read(table.tables, path);
  const condition =
    where &&
    compilation.atArgument(`${path}.args.where`, () =>
      compileWhere(compilation, table, alias, where),
    );
  const { compiled: row, rows: inside } = compilation.countRows(() =>
    compileRow(compilation, { table, alias, nodes, path }),
  );
  compilation.addRows(batchSize * (1 + inside));
  const subquery = newAlias();
  const value = sql`(select ${row.json(subquery)} from (select ${row.columns}) ${subquery})`;
  const steps = stepsOf(cursors, table.primaryKey);
  const begin = beginning(cursors);
  const after = isBeyond(alias, begin, begin.length < cursors.length);
  const source = { value, alias, steps, key: table.primaryKey, batchSize };
  const rows = sql`${tableName(table)} ${alias}`;
  const fixed = [entryCondition(table), condition];
  const statement = (conditions: readonly (SQL | undefined)[]) => {
    const all = [...fixed, ...conditions].filter((one) => one !== undefined);
    return batch(compilation, { ...source, rows: sql`${rows}${whereClause(all)}` });
  };
  return {
    table: table.model.key,
    cursor: cursors.map(({ column }) => column.column),
    initial: begin.flatMap(({ column, value }) =>
      isTime(column) ? [value.reader(encoderOf(column.scalar))] : [],
    ),
    batchSize,
    first: statement([after]),
    next: statement([isBeyond(alias, place(steps), false)]),
    pick: statement([after, isNamed(alias, table.primaryKey)]),
  };
}

/** Reads the argument `cursor`. Each item names one column. */
function cursorsOf(
  known: StreamRoot['cursors'],
  given: Input | undefined,
  path: string,
): readonly Cursor[] {
  const items = (given?.items() ?? []).filter((item) => !item.isNull());
  if (items.length === 0) throw validationFailed('a stream needs at least one cursor', path);
  const cursors = items.map((item, index) => cursorOf(known, item, `${path}[${index}]`));
  const columns = new Set(cursors.map(({ column }) => column));
  if (columns.size < cursors.length) {
    throw validationFailed('a stream has at most one cursor for each column', path);
  }
  return cursors;
}

function cursorOf(known: StreamRoot['cursors'], item: Input, path: string): Cursor {
  const fields = new Map(item.fields());
  const [[name, value] = [], ...more] = fields.get('initial_value')?.fields() ?? [];
  const column = known.get(name ?? '');
  if (!column || more.length > 0) throw severalColumns(`${path}.initial_value`);
  const ordering = fields.get('ordering');
  return {
    column,
    isDescending: ordering !== undefined && ordering.constant() === 'DESC',
    initial: value?.isNull() ? undefined : value,
  };
}

function severalColumns(path: string): RequestError {
  const message =
    'the initial value of a cursor names exactly one column; for several columns, give several cursors';
  return validationFailed(message, path);
}

function isTime({ scalar: { type } }: ColumnView): boolean {
  return isBuiltin(type) && timeTypes.some((name) => name === type.name);
}

function batchSizeOf(
  { options }: Compilation,
  limit: number | undefined,
  given: Input | undefined,
  path: string,
): number {
  const size = pagingOf(given) ?? 0;
  if (size <= 0) {
    throw validationFailed('the batch size must be greater than 0', `${path}.args.batch_size`);
  }
  return Math.min(size, options.maxRows, limit ?? options.maxRows);
}

/** The cursor, and then the rest of the primary key in the direction of the last cursor. */
function stepsOf(
  cursors: readonly Cursor[],
  primaryKey: readonly ColumnView[],
): readonly Omit<Step, 'value'>[] {
  const isDescending = cursors.at(-1)?.isDescending ?? false;
  const rest = primaryKey.filter((key) => !cursors.some(({ column }) => column === key));
  return [...cursors, ...rest.map((column) => ({ column, isDescending }))];
}

/**
 * Returns the place at which a stream begins. A cursor without an initial value, and all cursors after it, restrict
 * nothing, so rows whose earlier cursors equal the initial values belong to the stream, too.
 */
function beginning(cursors: readonly Cursor[]): readonly Beginning[] {
  const open = cursors.findIndex(({ initial }) => initial === undefined);
  return cursors
    .slice(0, open < 0 ? undefined : open)
    .flatMap(({ initial, ...step }) => (initial ? [{ ...step, value: initial }] : []));
}

interface Batch {
  /** The JSON of one row. */
  readonly value: SQL;
  readonly rows: SQL;
  readonly alias: SQL;
  readonly steps: readonly Omit<Step, 'value'>[];
  readonly key: readonly ColumnView[];
  readonly batchSize: number;
}

function batch(
  compilation: Compilation,
  { value, rows, alias, steps, key, batchSize }: Batch,
): StatementText {
  const texts = (columns: readonly ColumnView[]) => {
    const list = columns.map(({ column }) => sql`${alias}.${sql.identifier(column)}${TEXT}`);
    return sql`pg_catalog.json_build_array(${sql.join(list, ', ')})`;
  };
  const order = steps.map(
    ({ column, isDescending }) =>
      sql`${alias}.${sql.identifier(column.column)} ${isDescending ? sql`desc` : sql`asc`}`,
  );
  const [one, all] = [newAlias(), newAlias()];
  const keys = texts(key);
  const last = texts(steps.map(({ column }) => column));
  const found = sql`(select ${value} as value, ${keys} as key, ${last} as place from ${rows} order by ${sql.join(order, ', ')} limit ${sql.literal(batchSize)}) ${one}`;
  const count = sql`pg_catalog.count(*)::pg_catalog.int4`;
  const values = sql`coalesce(pg_catalog.json_agg(${one}.value), '[]'::pg_catalog.json) as answer, pg_catalog.json_agg(${one}.key) as keys, (pg_catalog.array_agg(${one}.place))[${count}] as place`;
  const columns = ['answer', 'keys', 'place'].map((name) => sql`${all}.${sql.identifier(name)}`);
  const bounded = boundedColumns(columns, compilation.byteLimit);
  return compileText(
    sql`select ${sql.join([...bounded.columns], ', ')} from (select ${values} from ${found}) ${all} cross join lateral ${bounded.source}`,
  );
}

function whereClause(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql.blank : sql` where ${sql.join([...conditions], ' and ')}`;
}
