import type { SQL } from 'postgraphile/pg-sql2';
import { RequestError } from '../../request-error.ts';
import type { TableView } from '../../schema/view/table-view.ts';
import type { Compilation } from '../compilation.ts';
import type { Input } from '../input/input.ts';
import { isAsGiven } from './conflict.ts';
import {
  compileInsert,
  type InsertObject,
  type InsertRequest,
  type NestedInsert,
  namedColumns,
  readObject,
} from './insert.ts';
import { type WriteProgram, writtenValue } from './program.ts';
import { isPreset, type RowValues } from './row-values.ts';
import { addChange } from './run-change.ts';

/** Maximum parameters of one statement. Postgres stores their number in 16 bits, so it refuses more than 65535. */
const MAX_PARAMETERS = 30_000;

/** The steps of an insert, by their numbers in the program. */
export interface InsertSteps {
  /** Steps that insert the rows of the answer, in order. */
  readonly shown: readonly number[];
  /** All steps that insert rows, including nested rows. */
  readonly counted: readonly number[];
}

export interface InsertContext {
  readonly compilation: Compilation;
  readonly program: WriteProgram;
}

/**
 * Splits objects into groups that each fit into one statement. Objects with nested inserts and objects without values
 * get separate groups.
 */
export function groupObjects(
  objects: readonly InsertObject[],
): readonly (readonly InsertObject[])[] {
  if (objects.some(({ nested }) => nested.length > 0)) return objects.map((object) => [object]);
  const width = namedColumns(objects).length;
  const size = width === 0 ? 1 : Math.ceil(MAX_PARAMETERS / width);
  const count = Math.ceil(objects.length / size);
  return Array.from({ length: count }, (_, index) =>
    objects.slice(index * size, (index + 1) * size),
  );
}

/**
 * Adds the steps that insert rows with their nested rows. The rows of the request return the values of `columns`; the
 * rows nested in them do not.
 * @throws RequestError
 */
export function addInserts(
  context: InsertContext,
  request: InsertRequest,
  columns: readonly string[],
): InsertSteps {
  const steps = groupObjects(request.objects).map((objects) => {
    const [object] = objects;
    return object && objects.length === 1
      ? addObject(context, { ...request, objects }, object, columns)
      : addRows(context, { ...request, objects }, columns);
  });
  return merge(steps);
}

function merge(steps: readonly InsertSteps[]): InsertSteps {
  return {
    shown: steps.flatMap(({ shown }) => shown),
    counted: steps.flatMap(({ counted }) => counted),
  };
}

function addRows(
  { compilation, program }: InsertContext,
  request: InsertRequest,
  columns: readonly string[],
): InsertSteps {
  const change = { ...compileInsert(compilation, request, columns.length > 0), columns };
  const step = addChange(program, change, request.path);
  return { shown: [step], counted: [step] };
}

// Inserts the referenced rows first, and the referencing rows last.
function addObject(
  context: InsertContext,
  request: InsertRequest,
  object: InsertObject,
  columns: readonly string[],
): InsertSteps {
  const [before, after] = partition(object.nested);
  const rowValues = new Map(object.rowValues);
  const first = before.map((nested) => addBefore(context, request.table, nested, rowValues));
  const keys = after.flatMap(({ relationship }) => relationship.columns.map(({ local }) => local));
  const returned = [
    ...new Set([...columns, ...keys.filter((key) => request.table.readable.has(key))]),
  ];
  if (returned.length > 0) context.compilation.use(request.table.select);
  const own = addRows(context, { ...request, objects: [{ ...object, rowValues }] }, returned);
  if (after.length > 0) requireRow(context.program, own, missingParentRow(request.table));
  const last = after.map((nested) => {
    const { table, conflict } = request;
    const row = { table, conflict, step: own.shown[0] ?? 0, returned, rowValues };
    return addAfter(context, nested, row);
  });
  return { shown: own.shown, counted: [...first, own, ...last].flatMap(({ counted }) => counted) };
}

function partition(nested: readonly NestedInsert[]) {
  const isBefore = ({ relationship }: NestedInsert) => relationship.insertFirst === 'remote';
  return [nested.filter(isBefore), nested.filter((one) => !isBefore(one))] as const;
}

function addBefore(
  context: InsertContext,
  referrer: TableView,
  { relationship, data, conflict, path }: NestedInsert,
  rowValues: Map<string, SQL>,
): InsertSteps {
  const table = relationship.table();
  const place = `${path}.data`;
  const object = readObject(table, data, new Map(), place);
  const columns = relationship.columns
    .map(({ remote }) => remote)
    .filter((name) => table.readable.has(name));
  if (columns.length > 0) context.compilation.use(table.select);
  const steps = addInserts(context, { table, objects: [object], conflict, path: place }, columns);
  requireRow(
    context.program,
    steps,
    new RequestError(
      'not-supported',
      `cannot proceed to insert object relation "${relationship.name}" since insert to table "${table.model.name}" affects zero rows`,
      place,
    ),
  );
  const step = steps.shown[0] ?? 0;
  const row = { table, conflict, step, returned: columns, rowValues: object.rowValues };
  for (const { local, remote } of relationship.columns) {
    if (!isPreset(referrer, local)) rowValues.set(local, insertedValue(row, remote, place));
  }
  return steps;
}

function addAfter(
  context: InsertContext,
  { relationship, data, conflict, path }: NestedInsert,
  row: InsertedRow,
): InsertSteps {
  const table = relationship.table();
  const place = `${path}.data`;
  const fixed = new Map(
    relationship.columns.map(
      ({ local, remote }) => [remote, insertedValue(row, local, place)] as const,
    ),
  );
  const isList = relationship.kind === 'array';
  const objects = data
    .items()
    .map((item, index) => readObject(table, item, fixed, isList ? `${place}[${index}]` : place));
  if (objects.length === 0) return { shown: [], counted: [] };
  return addInserts(context, { table, objects, conflict, path: place }, []);
}

interface InsertedRow {
  readonly table: TableView;
  readonly conflict: Input | undefined;
  readonly step: number;
  readonly returned: readonly string[];
  readonly rowValues: RowValues;
}

/**
 * A column value of a row that an earlier step inserts: the written value, or the given value if the role may not read
 * the column.
 */
function insertedValue(row: InsertedRow, name: string, path: string): SQL {
  const { table, conflict, step, returned, rowValues } = row;
  const column = table.readable.get(name);
  if (column) return writtenValue(step, returned.indexOf(name), column);
  const given = rowValues.get(name);
  const isKnown = isAsGiven(table, conflict, name);
  if (given && isKnown) return given;
  const instead = isKnown
    ? 'give its value'
    : 'use a constraint that contains it, or leave update_columns empty';
  throw new RequestError(
    'permission-error',
    `cannot insert related rows: the role may not read "${name}" of ${table.name}; ${instead}`,
    path,
  );
}

function missingParentRow({ model }: TableView): RequestError {
  return new RequestError(
    'not-supported',
    `cannot proceed to insert array relations since insert to table "${model.name}" affects zero rows`,
  );
}

function requireRow(program: WriteProgram, { shown }: InsertSteps, error: RequestError): void {
  for (const number of shown) {
    const step = program.steps[number];
    if (step) program.steps[number] = { ...step, whenNothing: error };
  }
}
