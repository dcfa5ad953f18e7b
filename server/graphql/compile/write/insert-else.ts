import { type SQL, sql } from 'postgraphile/pg-sql2';
import { cursorName, type ObjectName } from '../../../../permissions/index.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import type { ConstraintView, TableView } from '../../schema/view/table-view.ts';
import type { Variables } from '../../validate/variables.ts';
import { newAlias, operator, TEXT, writtenTable } from '../fragments.ts';
import { type Parameter, parameter, type Written } from '../input/input.ts';
import { compileText } from '../statement.ts';
import type { Cells } from './row-values.ts';
import { asText, inArray, textValues, withPlaces } from './text-array.ts';

/** Rows that are inserted one by one, each with its own reaction to a conflicting row. */
export interface EachInsert {
  readonly constraint: ConstraintView;
  readonly rows: readonly Cells[];
  /** Compiles `insert into …` for one row. */
  readonly insertion: (cells: Cells) => SQL;
  /** Compiles the change of the conflicting row; undefined when it stays unchanged. */
  readonly otherwise: ((cells: Cells) => RowChange) | undefined;
}

interface RowChange {
  /** A query that opens the cursor on the conflicting row. */
  readonly finder: SQL;
  /** `update … where current of …` */
  readonly change: SQL;
}

interface ChangeInTheWay {
  readonly table: TableView;
  /** Alias of the table. */
  readonly alias: SQL;
  readonly constraint: ConstraintView;
  readonly finder: ObjectName;
  /** Columns of the conflicting row that get the new values. */
  readonly columns: readonly ColumnView[];
}

/** Returns a function that compiles the change of a conflicting row. */
export function changeInTheWay({
  table,
  alias,
  constraint,
  finder,
  columns,
}: ChangeInTheWay): (cells: Cells) => RowChange {
  const target = writtenTable(table, 'update');
  const cursor = sql.identifier(cursorName);
  return (cells) => {
    const values = constraint.columns.map(
      ({ column, scalar }) => sql`${cells.get(column) ?? sql`null`}::${scalar.type.sqlType}`,
    );
    const changes = columns.map(
      ({ column }) => sql`${sql.identifier(column)} = ${cells.get(column) ?? sql`default`}`,
    );
    return {
      finder: sql`select ${sql.identifier(finder.schema, finder.name)}(${sql.join(values, ', ')})`,
      change: sql`update ${target} as ${alias} set ${sql.join(changes, ', ')} where current of ${cursor}`,
    };
  };
}

/**
 * Compiles the source of the written rows, with `columns` by their names. `answer` turns a change into a statement that
 * returns one text.
 */
export function eachInsertRows(
  table: TableView,
  insert: EachInsert,
  columns: readonly ColumnView[],
  answer: (change: SQL) => SQL,
): SQL {
  const ways = new Ways(insert, answer);
  const list = insert.rows.map((cells) => ways.add(cells));
  const [one, row] = [newAlias(), newAlias()];
  const { schema, name } = table.model;
  const key = textValues([schema, name, insert.constraint.name]);
  const textOf = (part: 'insertion' | 'finder' | 'change') =>
    sql`(${ways.texts(part)})[${one}.way]`;
  const call = sql`rowgate_api.insert_else(${textOf('insertion')}, ${key}, ${textOf('finder')}, ${textOf('change')}, ${one}.given)`;
  const arrow = operator({ schema: 'pg_catalog', symbol: '->>' });
  const cells = columns.map(
    ({ column, scalar }, index) =>
      sql`(${row}.cells ${arrow} ${sql.literal(index)})::${scalar.type.sqlType} as ${sql.identifier(column)}`,
  );
  return sql`select ${sql.join(cells, ', ')} from (select ${call}::pg_catalog.json as cells from (values ${sql.join(list, ', ')}) as ${one}(way, given) offset 0) ${row} where ${row}.cells is not null`;
}

/** The statement texts of the inserted rows. Rows with the same columns and expressions share their texts. */
class Ways {
  readonly #insert: EachInsert;
  readonly #answer: (change: SQL) => SQL;
  readonly #places = new Map<string, number>();
  readonly #texts: WayTexts[] = [];

  constructor(insert: EachInsert, answer: (change: SQL) => SQL) {
    this.#insert = insert;
    this.#answer = answer;
  }

  /** Adds a row. @returns the index of its texts, and its values */
  add(row: Cells): SQL {
    const cells: Cells = new Map([...row].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const { text, parameters } = compileText(sql.join([...cells.values()], ', '));
    const values: Parameter = (variables: Variables, written: Written) =>
      parameters.map((read) => asText(read(variables, written)));
    const place = this.#placeOf(JSON.stringify([...cells.keys(), text]), cells);
    return sql`(${sql.literal(place)}, ${parameter(values)}${TEXT}[])`;
  }

  /** The texts of all kinds of rows, in order. */
  texts(part: keyof WayTexts): SQL {
    return textValues(this.#texts.map((texts) => texts[part]));
  }

  #placeOf(key: string, cells: Cells): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.#texts.push(this.#textsOf(cells));
    this.#places.set(key, place);
    return place;
  }

  #textsOf(row: Cells): WayTexts {
    const { cells, textOf } = inList(row);
    const { insertion, otherwise } = this.#insert;
    const instead = otherwise?.(cells);
    return {
      insertion: textOf(this.#answer(insertion(cells))),
      finder: instead ? textOf(instead.finder) : null,
      change: instead ? textOf(this.#answer(instead.change)) : null,
    };
  }
}

interface WayTexts {
  readonly insertion: string;
  readonly finder: string | null;
  readonly change: string | null;
}

/**
 * Replaces the values of a row by references into one list of parameters. The list holds the parameters of all values
 * in order.
 */
function inList(row: Cells): { readonly cells: Cells; readonly textOf: (made: SQL) => string } {
  const texts = new Map<Parameter, string>();
  let offset = 0;
  const markOf = (cell: SQL) => {
    const { text, parameters } = compileText(cell);
    const mark: Parameter = () => null;
    texts.set(mark, inArray(text, offset));
    offset += parameters.length;
    return parameter(mark);
  };
  const cells = new Map([...row].map(([name, cell]) => [name, markOf(cell)]));
  const textOf = (made: SQL) => {
    const { text, parameters } = compileText(made);
    return withPlaces(text, (place) => {
      const found = parameters[place - 1];
      const cell = found && texts.get(found);
      if (cell === undefined) throw new Error('a value is of no cell');
      return cell;
    });
  };
  return { cells, textOf };
}
