import type { ComputedArgument, ComputedField, Model } from '../model/types.ts';
import { ident, join, qualified, type SqlText, sql } from '../sql/sql-text.ts';
import type { DesiredObject } from '../state/types.ts';
import { commented, label, stateId } from './desired.ts';
import { callName, policySchema } from './names.ts';
import { typeSql } from './reader.ts';

/** What a rule gives a function of its own: the row, and the session's variables as jsonb. */
interface Given {
  readonly row: SqlText;
  readonly session: SqlText;
}

/**
 * The call of a computed field in a rule. A function that finds names by its caller's search_path is called through
 * one of ours that brings a path along, or a login could put tables and operators of its own in the way of a rule.
 */
export function callComputed(field: ComputedField, given: Given): SqlText {
  if (field.pinned) return callItself(field, given);
  const values = implicit(field).map((argument) => value(argument, given));
  return sql`${wrapperName(field)}(${join(values, ', ')})`;
}

/** The functions of ours that are called in the place of these. */
export function callObjects(
  fields: readonly ComputedField[],
  model: Model,
): readonly DesiredObject[] {
  return fields.filter(({ pinned }) => !pinned).map((field) => wrapperObject(field, model));
}

/** A function of ours for one of people's own, by its name and, for grants, by what it takes. */
export function wrapperOf(
  field: ComputedField,
): { readonly name: string; readonly target: SqlText } | undefined {
  if (field.pinned) return undefined;
  const types = implicit(field).map(({ type }) => typeSql(type));
  return { name: nameOf(field), target: sql`${wrapperName(field)}(${join(types, ', ')})` };
}

/** The function itself as grants name it. */
export function functionTarget(field: ComputedField): SqlText {
  const types = field.arguments.map(({ type }) => typeSql(type));
  return sql`${qualified(field.function)}(${join(types, ', ')})`;
}

/** Parsed when it is made: it calls this function, whatever others of the name there will be. */
function wrapperObject(field: ComputedField, { tables }: Model): DesiredObject {
  const name = nameOf(field);
  const target = wrapperOf(field)?.target ?? sql``;
  const parameters = implicit(field).map((argument, index) => {
    return { argument, name: ident(`given ${index + 1}`) };
  });
  const head = parameters.map((one) => sql`${one.name} ${typeSql(one.argument.type)}`);
  const given = (kind: ComputedArgument['kind']): SqlText =>
    parameters.find(({ argument }) => argument.kind === kind)?.name ?? sql`null`;
  const call = callItself(field, { row: given('row'), session: given('session') });
  const { schema } = field.function;
  const body = sql`${wrapperName(field)}(${join(head, ', ')}) returns ${resultSql(field, tables)}
  language sql stable
  set search_path = pg_catalog, ${ident(schema)}, pg_temp
  begin atomic
    select ${call};
  end`;
  return commented({
    kind: 'call',
    id: stateId.call(name),
    label: `call ${name} of ${label(field.function)}`,
    facts: [],
    body,
    target: sql`function ${target}`,
    create: [sql`create function ${body}`, sql`revoke all on function ${target} from public`],
    note: field.name,
  });
}

function resultSql({ result, name }: ComputedField, tables: Model['tables']): SqlText {
  if (result.kind === 'scalar') return typeSql(result.type);
  const table = tables.get(result.table);
  if (!table) throw new RangeError(`"${name}" gives rows of no table`);
  return sql`setof ${qualified(table)}`;
}

function nameOf({ function: called, arguments: taken, result }: ComputedField): string {
  return callName(JSON.stringify([called, taken, result]));
}

function wrapperName(field: ComputedField): SqlText {
  return qualified({ schema: policySchema, name: nameOf(field) });
}

/** What a client would give is left to its default; from there on names tell which argument is meant. */
function callItself(field: ComputedField, given: Given): SqlText {
  const first = field.arguments.findIndex(({ kind }) => kind === 'client');
  const list = field.arguments.flatMap((argument, index) => {
    if (argument.kind === 'client') return [];
    const { name } = argument;
    const isByName = first >= 0 && index > first && name !== undefined;
    return [isByName ? sql`${ident(name)} => ${value(argument, given)}` : value(argument, given)];
  });
  return sql`${qualified(field.function)}(${join(list, ', ')})`;
}

function value({ kind, type }: ComputedArgument, { row, session }: Given): SqlText {
  return kind === 'row' ? row : sql`${session}::${typeSql(type)}`;
}

function implicit(field: ComputedField): readonly ComputedArgument[] {
  return field.arguments.filter(({ kind }) => kind !== 'client');
}
