import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { BoundValue } from '../../../db/request-pool.ts';
import type { Variables } from '../../validate/variables.ts';
import { TEXT } from '../fragments.ts';
import { type Parameter, parameter, type Written } from '../input.ts';
import { compileText, type StatementText } from '../statement.ts';

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

function textValue(text: string): SQL {
  return sql`${parameter(() => text)}${TEXT}`;
}

/** Places of values, `$1`, become elements of the one value that there is; those inside names and texts are none. */
function inArray(text: string, offset: number): string {
  return text.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(\d+)/g, (found, place?: string) =>
    place === undefined ? found : `($1)[${Number(place) + offset}]`,
  );
}

// A list inside the list would be a second dimension.
function asText(value: BoundValue): string | null {
  return typeof value === 'string' || value === null ? value : arrayLiteral(value);
}

function arrayLiteral(values: readonly BoundValue[]): string {
  const items = values.map((item) => {
    if (item === null) return 'null';
    return typeof item === 'string' ? `"${item.replace(/["\\]/g, '\\$&')}"` : arrayLiteral(item);
  });
  return `{${items.join(',')}}`;
}
