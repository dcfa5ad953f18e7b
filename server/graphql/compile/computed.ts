import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { TableModel } from '../../../permissions/index.ts';
import { SESSION_SETTING } from '../../db/requests/request-settings.ts';
import { RequestError } from '../request-error.ts';
import { sqlTypeOf } from '../schema/registry/column-type.ts';
import type { CallView, ComputedValueView, TableView } from '../schema/view/table-view.ts';
import type { Compilation } from './compilation.ts';
import { newAlias, TEXT } from './fragments.ts';
import { encoderOf } from './input/encode.ts';
import type { Input } from './input/input.ts';
import { readKey, sameKey } from './row-key.ts';

/** The arguments that a client passes to a function. */
export interface GivenArguments {
  /** The GraphQL argument `args`; undefined when the client passes no arguments. */
  readonly args: Input | undefined;
  /** Path of the field, for errors. */
  readonly path: string;
}

/** The row that a computed field's function receives as its argument. */
export interface CalledRow {
  readonly table: TableView;
  readonly alias: SQL;
}

const NOTHING: GivenArguments = { args: undefined, path: '$' };

/** Compiles the value of a computed field for the row of `alias`. */
export function compileValue(
  compilation: Compilation,
  row: CalledRow,
  value: ComputedValueView,
  given: GivenArguments = NOTHING,
): SQL {
  const { source, name } = value;
  compilation.noteCall();
  if (source.kind === 'call') return compileCall(compilation, row, value, given);
  if (source.kind === 'none') {
    const message = `'${name}' is not available in rows that a function returns: it is looked up by primary key, and ${row.table.name} has none`;
    throw new RequestError('not-supported', message, given.path);
  }
  // A view created by Rowgate computes the value from the whole row, which includes columns that the role may not read.
  compilation.noteOwnerCall();
  const column = sql.identifier(source.column);
  if (source.kind === 'column') return sql`${row.alias}.${column}`;
  const other = newAlias();
  const view = sql.identifier(source.view.schema, source.view.name);
  return sql`(select ${other}.${column} from ${view} ${other} where ${sameKey(readKey(row.table), row.alias, other)})`;
}

/**
 * Compiles a function call; for a computed field the function receives the row. @throws RequestError when a required
 * argument is missing
 */
export function compileCall(
  compilation: Compilation,
  row: CalledRow | undefined,
  call: CallView,
  { args, path }: GivenArguments = NOTHING,
): SQL {
  compilation.noteCall();
  const given = new Map(args && !args.isNull() ? args.fields() : []);
  let isByName = false;
  const values = call.clientArguments.map(({ name, scalar, isRequired, isNamed }) => {
    const value = given.get(name);
    // After an omitted argument, Postgres accepts only named arguments.
    if (value && isByName && !isNamed) {
      throw omitted('Only last set of positional arguments can be omitted', path);
    }
    if (value) return sql`${value.parameter(encoderOf(scalar))}::${sqlTypeOf(scalar.type)}`;
    if (isRequired) throw omitted('Non default arguments cannot be omitted', path);
    isByName = true;
    return undefined;
  });
  if (!call.own) return callItself(call.called, row, { values, path });
  compilation.noteOwnerCall();
  return callOfOurs(call.own, row, values);
}

/** One value for each argument that clients may pass; undefined when Postgres uses the default. */
type Values = readonly (SQL | undefined)[];

function callOfOurs(
  own: NonNullable<CallView['own']>,
  row: CalledRow | undefined,
  values: Values,
): SQL {
  const keys = row
    ? readKey(row.table).map(({ column }) => sql`${row.alias}.${sql.identifier(column)}`)
    : [];
  const named = own.parameters.flatMap((name, index) => {
    const value = values[index];
    return value ? [sql`${sql.identifier(name)} => ${value}`] : [];
  });
  return sql`${sql.identifier(own.schema, own.name)}(${sql.join([...keys, ...named], ', ')})`;
}

function callItself(
  { function: called, arguments: taken }: CallView['called'],
  row: CalledRow | undefined,
  { values, path }: { readonly values: Values; readonly path: string },
): SQL {
  const clients = values.values();
  let isByName = false;
  const list = taken.flatMap((argument): readonly SQL[] => {
    const { kind, name } = argument;
    const value = kind === 'client' ? clients.next().value : implied(argument, row);
    if (!value) {
      isByName = true;
      return [];
    }
    if (!isByName) return [value];
    // After an omitted argument, Postgres accepts only named arguments.
    if (name === undefined)
      throw omitted('Only last set of positional arguments can be omitted', path);
    return [sql`${sql.identifier(name)} => ${value}`];
  });
  return sql`${sql.identifier(called.schema, called.name)}(${sql.join([...list], ', ')})`;
}

/** All session variables of the request and its role, as the text of a JSON object. */
const SESSION = sql`pg_catalog.current_setting(${sql.literal(SESSION_SETTING)}${TEXT})`;

function implied(
  { kind, type }: CallView['called']['arguments'][number],
  row: CalledRow | undefined,
): SQL | undefined {
  if (kind === 'row') return row && wholeRow(row.table.model, row.alias);
  return sql`${SESSION}::${sql.identifier(type.schema, type.name)}`;
}

// Builds the row column by column, since the rows of a writing statement do not have the table's row type.
function wholeRow({ columns, schema, name }: TableModel, alias: SQL): SQL {
  const list = [...columns.keys()].map((column) => sql`${alias}.${sql.identifier(column)}`);
  return sql`row(${sql.join(list, ', ')})::${sql.identifier(schema, name)}`;
}

function omitted(message: string, path: string): RequestError {
  return new RequestError('not-supported', message, `${path}.args.args`);
}
