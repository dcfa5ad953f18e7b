import type { ComputedArgument, ComputedField, Model } from '../../model/types.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { DesiredObject } from '../../objects/types.ts';
import { commented, executeObject, label, stateId } from '../../objects/desired.ts';
import { callName, policySchema } from '../../text/object-names.ts';
import { typeSql } from '../../expressions/print-operand.ts';

/** What a function gets: the row, the session's variables as jsonb, and of a whole call what clients give, in order. */
interface Given {
  readonly row: SqlText;
  readonly session: SqlText;
  readonly clients?: readonly SqlText[];
}

/** A function of people's own. */
export type Called = Pick<
  ComputedField,
  'name' | 'function' | 'pinned' | 'arguments' | 'result'
> & {
  readonly isVolatile?: boolean;
  /** Absent: any number of rows, where it gives rows. */
  readonly returnsSet?: boolean;
};

/** A call of a function that we write down in the database. */
export interface OwnCall {
  readonly field: Called;
  /**
   * Whether it acts with the rights of whoever applies, to whom no rule applies: so it does in rules, which read
   * other tables as they are. Else with those of whoever asks.
   */
  readonly asOwner: boolean;
  /** Whether it gives every argument; else those of clients are left to their defaults. */
  readonly isWhole?: boolean;
}

/**
 * Calls a computed field through a function of ours, which says with whose rights it acts and where it finds names:
 * by its caller's search_path, a login could put tables and operators of its own in the way of a rule.
 */
export function callComputed(call: OwnCall, given: Given): SqlText {
  if (isDirect(call)) return callItself(call, given);
  return sql`${wrapperName(call)}(${join(valuesOf(call, given), ', ')})`;
}

function isDirect({ field, asOwner }: OwnCall): boolean {
  return field.pinned && !asOwner;
}

/** The functions of ours that these calls go through. */
export function callObjects(calls: readonly OwnCall[], model: Model): readonly DesiredObject[] {
  return calls.filter((call) => !isDirect(call)).map((call) => wrapperObject(call, model));
}

/** What a role must be able to execute for a call, where that is a function of ours. */
export function wrapperGrant(call: OwnCall, role: string): readonly DesiredObject[] {
  if (isDirect(call)) return [];
  const id = nameOf(call);
  const called = { schema: policySchema, id, label: `${id}(…)`, target: wrapperTarget(call) };
  return [executeObject(called, role)];
}

/** The function itself as grants name it. */
export function functionTarget(field: Pick<Called, 'function' | 'arguments'>): SqlText {
  const types = field.arguments.map(({ type }) => typeSql(type));
  return sql`${qualified(field.function)}(${join(types, ', ')})`;
}

function wrapperTarget(call: OwnCall): SqlText {
  const types = takenBy(call).map(({ type }) => typeSql(type));
  return sql`${wrapperName(call)}(${join(types, ', ')})`;
}

/** Parsed when it is made: it calls this function, whatever others of the name there will be. */
function wrapperObject(call: OwnCall, { tables }: Model): DesiredObject {
  const { field, asOwner } = call;
  const name = nameOf(call);
  const target = wrapperTarget(call);
  const parameters = takenBy(call).map((argument, index) => {
    return { argument, name: ident(`given ${index + 1}`) };
  });
  const head = parameters.map((one) => sql`${one.name} ${typeSql(one.argument.type)}`);
  const given = (kind: ComputedArgument['kind']): readonly SqlText[] =>
    parameters.filter(({ argument }) => argument.kind === kind).map(({ name }) => name);
  const [row = sql`null`] = given('row');
  const [session = sql`null`] = given('session');
  const traits = sql`language sql ${field.isVolatile ? sql`volatile` : sql`stable`} security ${asOwner ? sql`definer` : sql`invoker`}`;
  const body = sql`${wrapperName(call)}(${join(head, ', ')}) returns ${resultSql(field, tables)}
  ${traits}
  set search_path = ${join(searchPath(field, tables), ', ')}
  begin atomic
    select ${callItself(call, { row, session, clients: given('client') })};
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

/** Where apply has seen to it that nobody else creates anything, temporary things last. */
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

function nameOf({ field, asOwner, isWhole }: OwnCall): string {
  const { function: called, arguments: taken, result, isVolatile, returnsSet } = field;
  // Defaults are the function's own affair.
  const types = taken.map(({ default: _, ...argument }) => argument);
  const more = isWhole ? [{ isVolatile, returnsSet }] : [];
  return callName(JSON.stringify([called, types, result, asOwner, ...more]));
}

function wrapperName(call: OwnCall): SqlText {
  return qualified({ schema: policySchema, name: nameOf(call) });
}

/** What a client would give is left to its default; from there on names tell which argument is meant. */
function callItself(call: OwnCall, given: Given): SqlText {
  const { field, isWhole } = call;
  if (isWhole) return sql`${qualified(field.function)}(${join(valuesOf(call, given), ', ')})`;
  const first = field.arguments.findIndex(({ kind }) => kind === 'client');
  const list = field.arguments.flatMap((argument, index) => {
    if (argument.kind === 'client') return [];
    const { name } = argument;
    const isByName = first >= 0 && index > first && name !== undefined;
    return [isByName ? sql`${ident(name)} => ${value(argument, given)}` : value(argument, given)];
  });
  return sql`${qualified(field.function)}(${join(list, ', ')})`;
}

function valuesOf(call: OwnCall, given: Given): readonly SqlText[] {
  const clients = (given.clients ?? []).values();
  return takenBy(call).map((argument) =>
    argument.kind === 'client' ? (clients.next().value ?? sql`null`) : value(argument, given),
  );
}

function value({ kind, type }: ComputedArgument, { row, session }: Given): SqlText {
  return kind === 'row' ? row : sql`${session}::${typeSql(type)}`;
}

function takenBy({ field, isWhole }: OwnCall): readonly ComputedArgument[] {
  return field.arguments.filter(({ kind }) => isWhole || kind !== 'client');
}
