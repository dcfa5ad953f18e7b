import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { TableModel } from '../../../permissions/index.ts';
import type { ComputedCall, ComputedValueView } from '../view/computed-view.ts';
import type { TableView } from '../view/role-view.ts';
import type { Compilation } from './compilation.ts';
import { encoderOf } from './encode.ts';
import { equality, newAlias } from './fragments.ts';
import type { Input } from './input.ts';

/** The value of a computed field for the row of `alias`. */
export function compileValue(
  compilation: Compilation,
  table: TableView,
  alias: SQL,
  value: ComputedValueView,
  args?: Input,
): SQL {
  const { through, field } = value;
  if (!through) return compileCall(compilation, table, alias, value, args);
  const other = newAlias();
  const view = sql.identifier(through.schema, through.name);
  return sql`(select ${other}.${sql.identifier(field.name)} from ${view} ${other} where ${sameKey(table, alias, other)})`;
}

function sameKey(table: TableView, alias: SQL, other: SQL): SQL {
  const pairs = table.model.primaryKey.map((name) => {
    const column = table.readable.get(name);
    if (!column) throw new Error(`${table.name}: the key column ${name} cannot be read`);
    const key = sql.identifier(name);
    return sql`${alias}.${key} ${equality(column)} ${other}.${key}`;
  });
  return sql.join(pairs, ' and ');
}

/** The call of a computed field's function for the row of `alias`, which has every column of the table. */
export function compileCall(
  compilation: Compilation,
  { model }: TableView,
  alias: SQL,
  { field, clientArguments }: ComputedCall,
  args?: Input,
): SQL {
  const given = new Map(args && !args.isNull() ? args.fields() : []);
  const clients = clientArguments.values();
  let isByName = false;
  const list = field.arguments.flatMap(({ kind, name, type }): readonly SQL[] => {
    // What follows an argument that is left out can be told by name only.
    const place = isByName && name !== undefined ? sql`${sql.identifier(name)} => ` : sql.blank;
    if (kind === 'row') return [sql`${place}${wholeRow(model, alias)}`];
    if (kind === 'session') {
      const cast = sql.identifier(type.schema, type.name);
      return [sql`${place}${compilation.options.session}::${cast}`];
    }
    const client = clients.next().value;
    const value = client && given.get(client.name);
    if (!client || !value) {
      isByName = true;
      return [];
    }
    const { scalar } = client;
    return [sql`${place}${value.parameter(encoderOf(scalar))}::${scalar.type.sqlType}`];
  });
  const { schema, name } = field.function;
  return sql`${sql.identifier(schema, name)}(${sql.join([...list], ', ')})`;
}

// Built column by column, since the rows of a statement that writes are not of the table's own type.
function wholeRow({ columns, schema, name }: TableModel, alias: SQL): SQL {
  const cells = [...columns.keys()].map((column) => sql`${alias}.${sql.identifier(column)}`);
  return sql`row(${sql.join(cells, ', ')})::${sql.identifier(schema, name)}`;
}
