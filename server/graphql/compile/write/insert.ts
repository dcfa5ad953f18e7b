import { type SQL, sql } from 'postgraphile/pg-sql2';
import { RequestError, validationFailed } from '../../request-error.ts';
import { sqlTypeOf } from '../../schema/registry/column-type.ts';
import type { ColumnView } from '../../schema/view/column-view.ts';
import type { RelationshipView, TableView } from '../../schema/view/table-view.ts';
import type { Compilation } from '../compilation.ts';
import { newAlias, writtenTable } from '../fragments.ts';
import { encoderOf } from '../input/encode.ts';
import type { Input } from '../input/input.ts';
import { readConflict } from './conflict.ts';
import type { Change } from './program.ts';
import { makeConflictChange, type RowByRowInsert } from './row-by-row-insert.ts';
import { isPreset, type RowValues } from './row-values.ts';

/** Rows to insert into one table. */
export interface InsertRequest {
  readonly table: TableView;
  readonly objects: readonly InsertObject[];
  readonly conflict: Input | undefined;
  /** Path of the objects, for errors. */
  readonly path: string;
}

/** One row and the rows nested in it. */
export interface InsertObject {
  readonly rowValues: RowValues;
  readonly nested: readonly NestedInsert[];
  readonly path: string;
}

export interface NestedInsert {
  readonly relationship: RelationshipView;
  readonly data: Input;
  readonly conflict: Input | undefined;
  readonly path: string;
}

/**
 * Separates the fields of an object into column values and nested inserts. `fixed` are the columns that the outer row
 * determines. @throws RequestError
 */
export function readObject(
  table: TableView,
  object: Input,
  fixed: RowValues,
  path: string,
): InsertObject {
  const rowValues = new Map<string, SQL>();
  const nested: NestedInsert[] = [];
  for (const [name, value] of object.fields()) {
    const column = table.insert?.columns.get(name);
    const relationship = table.relationships.get(name);
    if (column) rowValues.set(column.column, columnValue(column, value));
    else if (relationship && !value.isNull()) {
      const { data, on_conflict: conflict } = Object.fromEntries(value.fields());
      if (data) nested.push({ relationship, data, conflict, path: `${path}.${name}` });
    }
  }
  checkFixed(table, rowValues, fixed, path);
  checkObjects(table, [...rowValues.keys(), ...fixed.keys()], nested);
  for (const [name, value] of fixed) {
    if (!isPreset(table, name)) rowValues.set(name, value);
  }
  return { rowValues, nested, path };
}

function columnValue({ scalar }: ColumnView, value: Input): SQL {
  return sql`${value.parameter(encoderOf(scalar))}::${sqlTypeOf(scalar.type)}`;
}

/** Columns that at least one of the objects provides. */
export function namedColumns(objects: readonly InsertObject[]): readonly string[] {
  return [...new Set(objects.flatMap(({ rowValues }) => [...rowValues.keys()]))];
}

/** Compiles `insert into …` for rows without nested rows. Without any column it inserts a single row. */
export function compileInsert(
  compilation: Compilation,
  { table, objects, conflict: argument, path }: InsertRequest,
  returnsRows: boolean,
): Omit<Change, 'columns'> {
  const { insert } = table;
  if (!insert) throw new Error(`${table.name} passed the check but takes no rows`);
  compilation.use(insert.rule);
  const alias = newAlias();
  const names = namedColumns(objects);
  const into = sql`insert into ${writtenTable(table, returnsRows ? 'return' : 'insert')} as ${alias}`;
  const place = `${path.replace(/\.(objects?|data)$/, '')}.on_conflict`;
  const conflict = readConflict(compilation, table, alias, argument, place);
  const change = { kind: 'insert', table, alias } as const;
  if (conflict.kind !== 'row by row') {
    const tail = conflict.kind === 'clause' ? conflict.sql : sql.blank;
    return { ...change, sql: sql`${into}${valuesOf(names, objects)}${tail}` };
  }
  const { constraint, conflictLookup, columns } = conflict;
  const each: RowByRowInsert = {
    constraint,
    rows: objects.map(({ rowValues }) => rowValues),
    insertion: (rowValues) => sql`${into}${valuesOf(names, [{ rowValues }])}`,
    otherwise:
      conflictLookup && makeConflictChange({ table, alias, constraint, conflictLookup, columns }),
  };
  return { ...change, sql: each };
}

function valuesOf(
  names: readonly string[],
  objects: readonly Pick<InsertObject, 'rowValues'>[],
): SQL {
  if (names.length === 0) return sql` default values`;
  const list = names.map((name) => sql.identifier(name));
  const rows = objects.map(({ rowValues }) => {
    const values = names.map((name) => rowValues.get(name) ?? sql`default`);
    return sql`(${sql.join(values, ', ')})`;
  });
  return sql` (${sql.join(list, ', ')}) values ${sql.join(rows, ', ')}`;
}

function checkFixed(table: TableView, rowValues: RowValues, fixed: RowValues, path: string): void {
  const both = [...fixed.keys()].filter((name) => rowValues.has(name));
  if (both.length > 0) {
    throw validationFailed(
      `cannot insert ${quoted(both)} columns as their values are already being determined by parent insert`,
      path,
    );
  }
  const refused = closedColumns(table, [...fixed.keys()]);
  if (refused.length === 0) return;
  throw new RequestError(
    'permission-error',
    `cannot insert ${quoted(refused)}, whose value the outer row determines: the role may not insert that column of ${table.name}`,
    path,
  );
}

/** Columns that the role may not insert and that no preset fills. */
function closedColumns(table: TableView, names: readonly string[]): readonly string[] {
  const open = new Set([...(table.insert?.columns.values() ?? [])].map(({ column }) => column));
  return names.filter((name) => !open.has(name) && !isPreset(table, name));
}

// Refuses values for columns that a nested row determines.
function checkObjects(
  table: TableView,
  given: readonly string[],
  nested: readonly NestedInsert[],
): void {
  const taken = new Set(given);
  for (const { relationship, path } of nested) {
    if (relationship.insertFirst === 'local') continue;
    const decided = relationship.columns.map(({ local }) => local);
    const both = decided.filter((name) => taken.has(name));
    if (both.length > 0) {
      throw validationFailed(
        `cannot insert object relationship "${relationship.name}" as ${quoted(both)} column values are already determined`,
        path,
      );
    }
    const refused = closedColumns(table, decided);
    if (refused.length > 0) {
      throw new RequestError(
        'permission-error',
        `cannot insert object relationship "${relationship.name}": the role may not insert ${quoted(refused)} of ${table.name}`,
        path,
      );
    }
    for (const name of decided) taken.add(name);
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
