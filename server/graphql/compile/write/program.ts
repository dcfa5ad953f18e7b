import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { JsonRow } from '../../../db/requests/request-pool.ts';
import type { RequestError } from '../../request-error.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import type { BoundedColumns } from '../bounded-columns.ts';
import type { ExtensionDocument } from '../extension-document.ts';
import { newAlias, operator, TEXT } from '../fragments.ts';
import { type Parameter, parameter, type Written } from '../input/input.ts';
import { jsonList } from '../list/json-list.ts';
import { compileText, type StatementText } from '../statement.ts';
import { type EachInsert, eachInsertRows } from './insert-else.ts';

/** One statement of a mutation. Its row holds the number of rows written, where it writes, and then JSON texts. */
export interface WriteStep {
  readonly statement: StatementText;
  readonly kind: 'insert' | 'update' | 'delete' | 'read';
  /** The table that it writes or reads. */
  readonly table: TableView;
  /** Where its values stand in the operation, for errors. */
  readonly path: string;
  /** Whether rows must be such that the role may select them. */
  readonly returnsRows: boolean;
  /** Whether its texts are parts of the answer; else later steps are made from them. */
  readonly isAnswer: boolean;
  /** What is wrong where no row was written; undefined where that is fine. */
  readonly whenNothing: RequestError | undefined;
}

/** What stock PostGraphile runs between statements. */
export interface ExtensionStep extends Omit<WriteStep, 'statement' | 'kind' | 'table'> {
  readonly kind: 'extension';
  readonly document: ExtensionDocument;
  readonly table: undefined;
  /** How long it may wait for what is not Postgres, in milliseconds. */
  readonly waitMs: number;
  /** What the data are handed on as. */
  readonly textsOf: (data: Readonly<Record<string, unknown>>) => JsonRow;
}

export type ProgramStep = WriteStep | ExtensionStep;

/**
 * What runs in the one transaction of an operation, in order: the statements of a mutation, and fields of extensions
 * with the statements that read what they lead to.
 */
export class WriteProgram {
  readonly steps: ProgramStep[] = [];
  /** Bytes that the rows which one step hands on may have. */
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** The number of the step. */
  add(step: ProgramStep): number {
    this.steps.push(step);
    return this.steps.length - 1;
  }
}

/** What a data-modifying statement is made of. */
export interface Change {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly table: TableView;
  /** Of the written table inside `sql`. */
  readonly alias: SQL;
  /** `insert into …`, `update …` or `delete …`, without `returning`; or inserts to be made one by one. */
  readonly sql: SQL | EachInsert;
  /** Whether Postgres may refuse rows for what they become, unless the role may see that; absent: if any is returned. */
  readonly mustBeSeen?: boolean;
  /** Columns of the table to return; none: rows are only counted, which asks no right to read them. */
  readonly columns: readonly string[];
}

/** The statement that runs a change and answers with the count of its rows and, if asked for, what is made of them. */
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
  return eachInsertRows(
    table,
    made,
    read,
    (one) =>
      sql`with ${row} as (${one} returning ${returning}) select ${rowText(row, columns)}${TEXT} from ${row}`,
  );
}

/** The rows as a JSON list of lists of texts, from which later statements read them. */
export function rowTexts(rows: SQL, columns: readonly string[], maxBytes: number): SQL {
  const options = { maxBytes, maxRows: Number.POSITIVE_INFINITY };
  const { list, source } = jsonList(rowText(rows, columns), rows, options);
  return sql`(select ${list}${TEXT} from ${source})`;
}

function rowText(row: SQL, columns: readonly string[]): SQL {
  const cells = columns.map((name) => textOf(sql`${row}.${sql.identifier(name)}`));
  return sql`pg_catalog.to_json(array[${sql.join(cells, ', ')}]${TEXT}[])`;
}

// As Postgres prints it: a cast to text is something else for some types, and cuts the blanks of `char(n)`.
function textOf(value: SQL): SQL {
  return sql`case when pg_catalog.num_nulls(${value}) ${operator({ schema: 'pg_catalog', symbol: '=' })} 0 then pg_catalog.concat(${value}) end`;
}

/** The rows that steps with {@link rowTexts} returned, as something to select from. */
export function writtenRows(
  steps: readonly number[],
  table: TableView,
  columns: readonly string[],
): SQL {
  const rows: Parameter = (_, written) =>
    JSON.stringify(steps.flatMap((step) => textsOf(written, step)));
  const item = newAlias();
  const arrow = operator({ schema: 'pg_catalog', symbol: '->>' });
  const cells = columns.map(
    (name, index) =>
      sql`(${item}.value ${arrow} ${sql.literal(index)})::${readableColumn(table, name).scalar.type.sqlType} as ${sql.identifier(name)}`,
  );
  return sql`(select ${sql.join(cells, ', ')} from pg_catalog.json_array_elements(${parameter(rows)}::pg_catalog.json) ${item})`;
}

/** A cell of the only row that a step with {@link rowTexts} returned. */
export function writtenCell(step: number, index: number, column: ColumnView): SQL {
  const cell: Parameter = (_, written) => textsOf(written, step)[0]?.[index] ?? null;
  return sql`${parameter(cell)}::${column.scalar.type.sqlType}`;
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
