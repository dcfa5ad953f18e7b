import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { JsonRow } from '../../../db/requests/transaction.ts';
import type { RequestError } from '../../request-error.ts';
import { sqlTypeOf } from '../../schema/registry/column-type.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import type { BoundedColumns } from '../bounded-columns.ts';
import type { ExtensionDocument } from '../extension-document.ts';
import { newAlias, operator, TEXT } from '../fragments.ts';
import { type Written, writtenParameter } from '../input/input.ts';
import { jsonList } from '../list/json-list.ts';
import { compileText, type StatementText } from '../statement.ts';
import { type RowByRowInsert, rowByRowSource } from './row-by-row-insert.ts';

/** One statement of a mutation. A writing statement returns the number of written rows first. JSON texts follow. */
export interface WriteStep {
  readonly statement: StatementText;
  readonly kind: 'insert' | 'update' | 'delete' | 'read';
  /** The table that the statement writes or reads. */
  readonly table: TableView;
  /** Path of the statement's values in the operation, for errors. */
  readonly path: string;
  /**
   * True if Postgres also requires that the role may select the written rows. A failed check may then be a check of the
   * select rule.
   */
  readonly returnsRows: boolean;
  /** True if the texts that the step returns are parts of the answer. Otherwise only later steps read them. */
  readonly isAnswer: boolean;
  /** The error when the statement writes no row; undefined when writing no row is allowed. */
  readonly whenNothing: RequestError | undefined;
}

/**
 * A step that PostGraphile runs with its own executor, between the statements: the extension fields of an operation.
 */
export interface ExtensionStep extends Omit<WriteStep, 'statement' | 'kind' | 'table'> {
  readonly kind: 'extension';
  readonly document: ExtensionDocument;
  readonly table: undefined;
  /** Maximum milliseconds that the step may wait for services other than Postgres. */
  readonly waitMs: number;
  /** Converts the data of the plugin to the texts that later steps and the answer use. */
  readonly textsOf: (data: Readonly<Record<string, unknown>>) => JsonRow;
}

export type ProgramStep = WriteStep | ExtensionStep;

/**
 * The steps of one operation, which run in order in one transaction: the statements of a mutation, or extension fields
 * with the statements that read their related rows.
 */
export class WriteProgram {
  readonly steps: ProgramStep[] = [];
  /** Maximum bytes of the rows that one step passes to later steps. */
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /**
   * Whether all statements can be sent at once, because none of them depends on the result of another. Otherwise each
   * statement waits for the earlier one: a nested insert needs the keys of a row, an answer with relationships reads the
   * rows that were written, and a step with `whenNothing` or an extension may end the operation.
   */
  get isIndependent(): boolean {
    return this.steps.every(
      (step) => step.kind !== 'extension' && !step.whenNothing && !step.statement.readsWritten,
    );
  }

  /**
   * Adds a step.
   * @returns its number
   */
  add(step: ProgramStep): number {
    this.steps.push(step);
    return this.steps.length - 1;
  }
}

/** The parts of a statement that modifies data. */
export interface Change {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly table: TableView;
  /** Alias of the written table inside `sql`. */
  readonly alias: SQL;
  /** `insert into …`, `update …` or `delete …`, without `returning`; or inserts that run one by one. */
  readonly sql: SQL | RowByRowInsert;
  /**
   * True if Postgres refuses the change when the role may not select the new row. Undefined: Postgres requires that
   * right only when the statement returns columns.
   */
  readonly mustBeSelectable?: boolean;
  /**
   * Columns of the table to return. If the list is empty, Postgres only counts the rows, which needs no right to read
   * them.
   */
  readonly columns: readonly string[];
}

/**
 * Compiles a statement that runs a change. Its only row contains the number of changed rows, followed by the columns
 * that `answers` builds from the changed rows.
 */
export function changeStatement(
  change: Change,
  answers: (rows: SQL) => BoundedColumns | undefined,
): StatementText {
  const rows = newAlias();
  const count = sql`(select pg_catalog.count(*) from ${rows})${TEXT}`;
  const made = answers(rows);
  const list = sql.join([count, ...(made?.columns ?? [])], ', ');
  const source = made ? sql` from ${made.source}` : sql.blank;
  return compileText(sql`with ${rows} as (${changedRows(change)}) select ${list}${source}`);
}

function changedRows(change: Change): SQL {
  const { alias, table, columns, sql: made } = change;
  const returned = columns.map((name) => sql`${alias}.${sql.identifier(name)}`);
  const returning = returned.length > 0 ? sql.join(returned, ', ') : sql`1`;
  if (!('rows' in made)) return sql`${made} returning ${returning}`;
  const row = newAlias();
  const read = columns.map((name) => readableColumn(table, name));
  return rowByRowSource(
    table,
    made,
    read,
    (one) =>
      sql`with ${row} as (${one} returning ${returning}) select ${rowText(row, columns)}${TEXT} from ${row}`,
  );
}

/** Compiles the rows as a JSON list of lists of texts, which later statements read. */
export function rowTexts(rows: SQL, columns: readonly string[], maxBytes: number): SQL {
  const options = { maxBytes, maxRows: Number.POSITIVE_INFINITY };
  const { list, source } = jsonList(rowText(rows, columns), rows, options);
  return sql`(select ${list}${TEXT} from ${source})`;
}

function rowText(row: SQL, columns: readonly string[]): SQL {
  const list = columns.map((name) => textOf(sql`${row}.${sql.identifier(name)}`));
  return sql`pg_catalog.to_json(array[${sql.join(list, ', ')}]${TEXT}[])`;
}

// Converts a value as Postgres prints it. A cast to text gives another text for some types, and removes the trailing
// blanks of `char(n)`.
function textOf(value: SQL): SQL {
  return sql`case when pg_catalog.num_nulls(${value}) ${operator({ schema: 'pg_catalog', symbol: '=' })} 0 then pg_catalog.concat(${value}) end`;
}

/** Compiles a `from` item with the rows that steps with {@link rowTexts} returned. */
export function writtenRows(
  steps: readonly number[],
  table: TableView,
  columns: readonly string[],
): SQL {
  const rows = writtenParameter((written) =>
    JSON.stringify(steps.flatMap((step) => textsOf(written, step))),
  );
  const item = newAlias();
  const arrow = operator({ schema: 'pg_catalog', symbol: '->>' });
  const list = columns.map(
    (name, index) =>
      sql`(${item}.value ${arrow} ${sql.literal(index)})::${sqlTypeOf(readableColumn(table, name).scalar.type)} as ${sql.identifier(name)}`,
  );
  return sql`(select ${sql.join(list, ', ')} from pg_catalog.json_array_elements(${rows}::pg_catalog.json) ${item})`;
}

/** A column value of the only row that a step with {@link rowTexts} returned. */
export function writtenValue(step: number, index: number, column: ColumnView): SQL {
  const value = writtenParameter((written) => textsOf(written, step)[0]?.[index] ?? null);
  return sql`${value}::${sqlTypeOf(column.scalar.type)}`;
}

/** The number of rows that a step wrote. */
export function affectedRows(written: Written, step: number): number {
  return Number(written[step]?.[0] ?? 0);
}

function textsOf(written: Written, step: number): readonly (readonly (string | null)[])[] {
  return JSON.parse(written[step]?.[1] ?? '[]');
}

function readableColumn(table: TableView, name: string): ColumnView {
  const column = table.readable.get(name);
  if (!column) throw new Error(`${table.name}: ${name} cannot be returned`);
  return column;
}
