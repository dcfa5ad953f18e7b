import { wholeCall } from '../../access/function-calls.ts';
import { type OwnerCall, parameterName } from '../../access/owner-calls.ts';
import type { RoleAccess, TableAccess } from '../../access/table-access.ts';
import type { Position } from '../../diagnostics.ts';
import { isSame } from '../../expressions/combine.ts';
import { computedIn } from '../../expressions/dependencies.ts';
import { callComputed, type OwnCall } from '../../expressions/print/print-call.ts';
import { printRule } from '../../expressions/print/print-expression.ts';
import { typeSql } from '../../expressions/print/print-operand.ts';
import { policyFunction } from '../../objects/functions/function.ts';
import { executeObject } from '../../objects/privileges/execute.ts';
import { type DesiredObject, label } from '../../objects/state/state-object.ts';
import { ident, join, qualified, rendered, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { RoleModel, TablePermissions } from '../../types/model.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { ComputedArgument, ComputedField, TableModel } from '../../types/tables.ts';
import { type Compiled, type CompileScope, nothing, together } from '../compiled.ts';
import { wrapperGrant } from '../computed-fields/wrappers.ts';
import { keyParameters, parameterOf } from '../key-parameters.ts';
import { type ShownRows, shownRows } from './shown-rows.ts';

/**
 * Returns the generated functions through which a role uses root fields whose user-defined function runs with the
 * rights of an owner, and the role's right to call them.
 */
export function functionCallObjects(access: RoleAccess, scope: CompileScope): Compiled {
  const { role, functions, tables } = access;
  const made = functions.flatMap(({ called, call: own }) => {
    const shown = shownRows(tables.get(called.result.table), ident('o'), scope);
    if (!own || !shown) return [];
    const { row, values, where, returns, needs } = shown;
    const source = callOf(called, own, scope, sql`null`);
    // When a function that returns a single row finds no row, Postgres returns a row of nulls. That row must not count
    // as a result.
    const some = called.returnsSet ? sql`` : sql` and not (${row}.* is null)`;
    const objects = callObjects(role, own, scope, {
      returns,
      parameters: clientParameters(own, called.arguments),
      query: sql`select ${values} from ${source} as ${row} where ${where}${some}`,
      call: wholeCall(called),
      expressions: shown.expressions,
      label: `call ${own.name} of ${label(called.function)} by ${role.name}`,
      position: called.position,
    });
    return [{ objects, needs }];
  });
  return together(made);
}

/**
 * Returns the generated functions through which a role computes fields of a row with the rights of an owner. Each
 * function takes the key of the row and finds the row itself.
 */
export function fieldCallObjects(
  access: TableAccess,
  tables: RoleAccess['tables'],
  scope: CompileScope,
): Compiled {
  const made = [...access.computed.values()].flatMap((one) =>
    one.path === 'by key' ? [fieldObjects(access, { ...one, tables, scope })] : [],
  );
  return together(made);
}

interface FieldCall {
  readonly field: ComputedField;
  readonly call: OwnerCall;
  readonly tables: RoleAccess['tables'];
  readonly scope: CompileScope;
}

function fieldObjects(
  access: TableAccess,
  { field, call: own, tables, scope }: FieldCall,
): Compiled {
  const { role, table, rules } = access;
  const { select } = rules;
  if (!select) return nothing;
  const { result } = field;
  const row = ident('r');
  const shown =
    result.kind === 'rows' ? shownRows(tables.get(result.table), ident('o'), scope) : undefined;
  const keyName = (index: number) => parameterName(`key ${index + 1}`, shown?.table);
  const { catalog } = scope;
  const columns = table.primaryKey;
  const givenAs = parameterOf(own.name);
  const keys = keyParameters({ table, catalog, columns, nameOf: keyName, givenAs });
  const print = (one: BoolExp) => printRule(one, table, { ...scope, written: true }, row);
  const found = [select.filter, ...keyMasks(rules, select, table)];
  const printed = found.map(print);
  const visible = select.fieldMasks.get(field.name);
  const when = visible && print(visible);
  const conditions = [...keys.map(({ equal }) => equal), ...printed.map(({ text }) => text)];
  const source = callOf(field, own, scope, sql`${row}.*`);
  const objects = callObjects(role, own, scope, {
    returns: shown?.returns ?? (result.kind === 'scalar' ? typeSql(result.type) : sql`record`),
    parameters: [
      ...keys.map(({ name, type }) => sql`${name} ${type}`),
      ...clientParameters(own, field.arguments),
    ],
    query: queryOfField(table, { source, row, conditions, shown, when: when?.text }),
    call: wholeCall(field),
    expressions: [...found, ...(visible ? [visible] : []), ...(shown?.expressions ?? [])],
    label: `call ${own.name} of ${field.name} of ${label(table)} by ${role.name}`,
    position: select.position,
  });
  const whole = { table, columns: [...table.columns.keys()] };
  const views = printed.flatMap((one) => one.views);
  return { objects, needs: [...(shown?.needs ?? []), ...views, whole, ...(when?.views ?? [])] };
}

/**
 * Returns the conditions under which a role may read the key by which a generated function finds a row. Without these
 * conditions, a role could guess keys that it may not read, and see from the result whether they exist.
 */
function keyMasks(
  { joinMasks }: TablePermissions,
  { columnMasks, filter }: SelectRule,
  { primaryKey }: TableModel,
): readonly BoolExp[] {
  const conditions = primaryKey.flatMap(
    (name) => joinMasks.get(name) ?? columnMasks.get(name) ?? [],
  );
  return conditions.filter((one) => !isSame(one, filter));
}

function queryOfField(
  table: TableModel,
  given: {
    readonly source: SqlText;
    readonly row: SqlText;
    readonly conditions: readonly SqlText[];
    readonly shown: ShownRows | undefined;
    readonly when: SqlText | undefined;
  },
): SqlText {
  const { source, row, conditions, shown, when } = given;
  const found = join(conditions, ' and ');
  const from = sql`from ${qualified(table)} as ${row}`;
  if (!shown) {
    const value = when ? sql`case when ${when} then ${source} end` : source;
    return sql`select ${value} ${from} where ${found}`;
  }
  return sql`select ${shown.values} ${from} cross join lateral ${source} as ${shown.row} where ${found} and ${shown.where}`;
}

/** Prints the call of the user-defined function with the parameters of the generated one. */
function callOf(
  field: OwnCall['field'],
  own: OwnerCall,
  scope: CompileScope,
  row: SqlText,
): SqlText {
  const clients = own.parameters.map((name) => qualified({ schema: own.name, name }));
  return callComputed(wholeCall(field), { row, session: scope.session, clients });
}

/**
 * Prints the parameters that clients fill. A parameter gets the default of the user-defined function, computed with the
 * rights of the caller.
 */
function clientParameters(own: OwnerCall, taken: readonly ComputedArgument[]): readonly SqlText[] {
  const clients = taken.filter(({ kind }) => kind === 'client');
  return clients.map(({ type, default: text }, index) => {
    const byDefault = text === undefined ? sql`` : sql` default ${rendered(text)}`;
    return sql`${ident(own.parameters[index] ?? '')} ${typeSql(type)}${byDefault}`;
  });
}

interface Parts {
  readonly parameters: readonly SqlText[];
  readonly returns: SqlText;
  readonly query: SqlText;
  readonly call: OwnCall;
  /**
   * All rule expressions in the query. The function's owner must be able to execute the functions that these
   * expressions call.
   */
  readonly expressions: readonly BoolExp[];
  readonly label: string;
  readonly position: Position;
}

/**
 * Makes a generated function for a call. Postgres parses the function on creation and never inlines it. So a condition
 * of the client's statement is evaluated only on rows that the function returns, and cannot reveal hidden rows.
 */
function callObjects(
  role: RoleModel,
  own: OwnerCall,
  { policyRole }: CompileScope,
  parts: Parts,
): readonly DesiredObject[] {
  const { call, expressions, position } = parts;
  const volatility = call.field.isVolatile ? sql`volatile` : sql`stable`;
  const body = sql`${qualified(own)}(${join(parts.parameters, ', ')}) returns ${parts.returns}
  language sql ${volatility} security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    ${parts.query};
  end`;
  const target = qualified(own);
  const made = policyFunction({
    ...{ name: own.name, target, body, owner: policyRole },
    label: parts.label,
    position,
  });
  const called = [
    call,
    ...expressions.flatMap(computedIn).map((field) => ({ field, asOwner: true })),
  ];
  return [
    made,
    executeObject({ id: own.name, label: `${own.name}(…)`, target }, role.postgresName),
    ...called.flatMap((one) => wrapperGrant(one, policyRole)),
  ];
}
