import { callsOfOwner, callsOfTable } from '../../access/function-calls.ts';
import type { RoleAccess } from '../../access/table-access.ts';
import {
  type Called,
  callItself,
  isDirect,
  nameOf,
  type OwnCall,
  takenBy,
  wrapperName,
} from '../../expressions/print/print-call.ts';
import { typeSql } from '../../expressions/print/print-operand.ts';
import { callObject } from '../../objects/functions/call.ts';
import { executeObject } from '../../objects/privileges/execute.ts';
import { type DesiredObject, label } from '../../objects/state/state-object.ts';
import { policySchema } from '../../text/object-names.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { Model } from '../../types/model.ts';
import type { ComputedArgument } from '../../types/tables.ts';

/**
 * Returns the generated functions that rules and views call instead of user-defined functions. They fix the rights of a
 * call and its search_path.
 */
export function wrapperObjects(
  accesses: readonly RoleAccess[],
  model: Model,
): readonly DesiredObject[] {
  const calls = [
    ...accesses.flatMap(({ tables }) => [...tables.values()].flatMap(callsOfTable)),
    ...accesses.flatMap(callsOfOwner),
  ];
  return calls.filter((call) => !isDirect(call)).map((call) => wrapperObject(call, model));
}

/**
 * Returns the role's EXECUTE privilege on the generated function of a call. The list is empty when the user-defined
 * function is called directly.
 */
export function wrapperGrant(call: OwnCall, role: string): readonly DesiredObject[] {
  if (isDirect(call)) return [];
  const id = nameOf(call);
  const called = { schema: policySchema, id, label: `${id}(…)`, target: wrapperTarget(call) };
  return [executeObject(called, role)];
}

/** Returns the user-defined function in the syntax of `grant`. */
export function functionTarget(field: Pick<Called, 'function' | 'arguments'>): SqlText {
  const types = field.arguments.map(({ type }) => typeSql(type));
  return sql`${qualified(field.function)}(${join(types, ', ')})`;
}

function wrapperTarget(call: OwnCall): SqlText {
  return sql`${wrapperName(call)}(${join(typesTaken(call), ', ')})`;
}

function typesTaken(call: OwnCall): readonly SqlText[] {
  return takenBy(call).map(({ type }) => typeSql(type));
}

/**
 * Makes the generated function of a call. Postgres parses its body on creation, so it keeps calling the same
 * user-defined function even when another one of that name appears in the search_path.
 */
function wrapperObject(call: OwnCall, { tables }: Model): DesiredObject {
  const { field, asOwner } = call;
  const name = nameOf(call);
  const parameters = takenBy(call).map((argument, index) => {
    return { argument, name: ident(`given ${index + 1}`) };
  });
  const head = parameters.map((one) => sql`${one.name} ${typeSql(one.argument.type)}`);
  const given = (kind: ComputedArgument['kind']): readonly SqlText[] =>
    parameters.filter(({ argument }) => argument.kind === kind).map(({ name }) => name);
  const [row = sql`null`] = given('row');
  const [session = sql`null`] = given('session');
  const traits = sql`language sql ${field.isVolatile ? sql`volatile` : sql`stable`} security ${asOwner ? sql`definer` : sql`invoker`}`;
  const body = sql`(${join(head, ', ')}) returns ${resultSql(field, tables)}
  ${traits}
  set search_path = ${join(searchPath(field, tables), ', ')}
  begin atomic
    select ${callItself(call, { row, session, clients: given('client') })};
  end`;
  return callObject({
    name,
    label: `call ${name} of ${label(field.function)}`,
    takes: join(typesTaken(call), ', '),
    body,
    note: field.name,
  });
}

/**
 * Returns a search_path for the call. The path lists only schemas in which apply allows no other role to create
 * objects. pg_temp comes last, so that a temporary table cannot hide a table that the function reads.
 */
function searchPath(field: Called, tables: Model['tables']): readonly SqlText[] {
  const hasPublic = [...tables.values()].some(({ schema }) => schema === 'public');
  const schemas = new Set([field.function.schema, ...(hasPublic ? ['public'] : [])]);
  return ['pg_catalog', ...schemas, 'pg_temp'].map(ident);
}

function resultSql({ result, name, returnsSet }: Called, tables: Model['tables']): SqlText {
  if (result.kind === 'scalar') return typeSql(result.type);
  const table = tables.get(result.table);
  if (!table) throw new RangeError(`"${name}" gives rows of no table`);
  return returnsSet === false ? qualified(table) : sql`setof ${qualified(table)}`;
}
