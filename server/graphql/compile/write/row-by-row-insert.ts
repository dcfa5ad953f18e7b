import { type SQL, sql } from 'postgraphile/pg-sql2';
import { cursorName, type ObjectName } from '../../../../permissions/index.ts';
import { sqlTypeOf } from '../../schema/registry/column-type.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import type { ConstraintView, TableView } from '../../schema/view/table-view.ts';
import { newAlias, operator, writtenTable } from '../fragments.ts';
import { type Parameter, parameter } from '../input/input.ts';
import { compileText } from '../statement.ts';
import type { RowValues } from './row-values.ts';
import { inArray, textsOf, textValues, withPlaces } from './text-array.ts';

/** Rows that are inserted one by one, each with its own reaction to a conflicting row. */
export interface RowByRowInsert {
  readonly constraint: ConstraintView;
  readonly rows: readonly RowValues[];
  /** Compiles `insert into …` for one row. */
  readonly insertion: (rowValues: RowValues) => SQL;
  /** Compiles the change of the conflicting row; undefined when it stays unchanged. */
  readonly otherwise: ((rowValues: RowValues) => RowChange) | undefined;
}

interface RowChange {
  /** A query that opens the cursor on the conflicting row. */
  readonly lookup: SQL;
  /** `update … where current of …` */
  readonly change: SQL;
}

interface ConflictChangeOptions {
  readonly table: TableView;
  /** Alias of the table. */
  readonly alias: SQL;
  readonly constraint: ConstraintView;
  readonly conflictLookup: ObjectName;
  /** Columns of the conflicting row that get the new values. */
  readonly columns: readonly ColumnView[];
}

/** Returns a function that compiles the change of a conflicting row. */
export function makeConflictChange({
  table,
  alias,
  constraint,
  conflictLookup,
  columns,
}: ConflictChangeOptions): (rowValues: RowValues) => RowChange {
  const target = writtenTable(table, 'update');
  const cursor = sql.identifier(cursorName);
  return (rowValues) => {
    const values = constraint.columns.map(
      ({ column, scalar }) => sql`${rowValues.get(column) ?? sql`null`}::${sqlTypeOf(scalar.type)}`,
    );
    const changes = columns.map(
      ({ column }) => sql`${sql.identifier(column)} = ${rowValues.get(column) ?? sql`default`}`,
    );
    return {
      lookup: sql`select ${sql.identifier(conflictLookup.schema, conflictLookup.name)}(${sql.join(values, ', ')})`,
      change: sql`update ${target} as ${alias} set ${sql.join(changes, ', ')} where current of ${cursor}`,
    };
  };
}

/**
 * Compiles the source of the written rows, with `columns` by their names. `answer` turns a change into a statement that
 * returns one text.
 */
export function rowByRowSource(
  table: TableView,
  insert: RowByRowInsert,
  columns: readonly ColumnView[],
  answer: (change: SQL) => SQL,
): SQL {
  const statements = new StatementTexts(insert, answer);
  const list = insert.rows.map((rowValues) => statements.add(rowValues));
  const [one, row] = [newAlias(), newAlias()];
  const { schema, name } = table.model;
  const key = textValues([schema, name, insert.constraint.name]);
  const textOf = (part: 'insertion' | 'lookup' | 'change') =>
    sql`(${statements.texts(part)})[${one}.way]`;
  const call = sql`rowgate_api.insert_else(${textOf('insertion')}, ${key}, ${textOf('lookup')}, ${textOf('change')}, ${one}.given)`;
  const arrow = operator({ schema: 'pg_catalog', symbol: '->>' });
  const read = columns.map(
    ({ column, scalar }, index) =>
      sql`(${row}.cells ${arrow} ${sql.literal(index)})::${sqlTypeOf(scalar.type)} as ${sql.identifier(column)}`,
  );
  return sql`select ${sql.join(read, ', ')} from (select ${call}::pg_catalog.json as cells from (values ${sql.join(list, ', ')}) as ${one}(way, given) offset 0) ${row} where ${row}.cells is not null`;
}

/** The statement texts of the inserted rows. Rows with the same columns and expressions share one text. */
class StatementTexts {
  readonly #insert: RowByRowInsert;
  readonly #answer: (change: SQL) => SQL;
  readonly #places = new Map<string, number>();
  readonly #texts: RowTexts[] = [];

  constructor(insert: RowByRowInsert, answer: (change: SQL) => SQL) {
    this.#insert = insert;
    this.#answer = answer;
  }

  /**
   * Adds a row.
   * @returns the index of its texts, and its values
   */
  add(row: RowValues): SQL {
    const rowValues: RowValues = new Map([...row].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const { text, parameters } = compileText(sql.join([...rowValues.values()], ', '));
    const place = this.#placeOf(JSON.stringify([...rowValues.keys(), text]), rowValues);
    return sql`(${sql.literal(place)}, ${textsOf(parameters)})`;
  }

  /** The texts of all kinds of rows, in order. */
  texts(part: keyof RowTexts): SQL {
    return textValues(this.#texts.map((texts) => texts[part]));
  }

  #placeOf(key: string, rowValues: RowValues): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.#texts.push(this.#textsOf(rowValues));
    this.#places.set(key, place);
    return place;
  }

  #textsOf(row: RowValues): RowTexts {
    const { rowValues, textOf } = inList(row);
    const { insertion, otherwise } = this.#insert;
    const instead = otherwise?.(rowValues);
    return {
      insertion: textOf(this.#answer(insertion(rowValues))),
      lookup: instead ? textOf(instead.lookup) : null,
      change: instead ? textOf(this.#answer(instead.change)) : null,
    };
  }
}

interface RowTexts {
  readonly insertion: string;
  readonly lookup: string | null;
  readonly change: string | null;
}

/**
 * Replaces the values of a row by references into one list of parameters, which contains the parameters of all values
 * in order.
 */
function inList(row: RowValues): {
  readonly rowValues: RowValues;
  readonly textOf: (made: SQL) => string;
} {
  const texts = new Map<Parameter, string>();
  let offset = 0;
  const markOf = (value: SQL) => {
    const { text, parameters } = compileText(value);
    const mark: Parameter = () => null;
    texts.set(mark, inArray(text, offset));
    offset += parameters.length;
    return parameter(mark);
  };
  const rowValues = new Map([...row].map(([name, value]) => [name, markOf(value)]));
  const textOf = (made: SQL) => {
    const { text, parameters } = compileText(made);
    return withPlaces(text, (place) => {
      const found = parameters[place - 1];
      const reference = found && texts.get(found);
      if (reference === undefined) throw new Error('a parameter belongs to no column');
      return reference;
    });
  };
  return { rowValues, textOf };
}
