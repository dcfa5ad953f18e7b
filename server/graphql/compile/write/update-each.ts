import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { Variables } from '../../validate/variables.ts';
import { TEXT } from '../fragments.ts';
import { type Parameter, parameter, type Written } from '../input/input.ts';
import { compileText, type StatementText } from '../statement.ts';
import { asText, inArray, textValue } from './text-array.ts';

/** A statement that makes a change row by row through a cursor and answers with the count; see `update_each`. */
export function eachRowStatement(rows: SQL, change: SQL): StatementText {
  const first = compileText(rows);
  const second = compileText(change);
  const all = [...first.parameters, ...second.parameters];
  const values: Parameter = (variables: Variables, written: Written) =>
    all.map((read) => asText(read(variables, written)));
  const query = textValue(inArray(first.text, 0));
  const update = textValue(inArray(second.text, first.parameters.length));
  return compileText(
    sql`select rowgate_api.update_each(${query}, ${update}, ${parameter(values)}${TEXT}[])${TEXT}`,
  );
}
