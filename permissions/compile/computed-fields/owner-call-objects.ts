import type { Catalog } from '../../catalog/catalog.ts';
import type { Position } from '../../diagnostics.ts';
import { isSame } from '../../expressions/combine.ts';
import { callComputed, type OwnCall } from '../../expressions/print-call.ts';
import type { PrintScope } from '../../expressions/print-comparison.ts';
import { printRule } from '../../expressions/print-expression.ts';
import { typeSql } from '../../expressions/print-operand.ts';
import { computedIn } from '../../expressions/reads.ts';
import { executeObject } from '../../objects/execute.ts';
import { policyFunction } from '../../objects/function.ts';
import { type DesiredObject, label } from '../../objects/state/state-object.ts';
import { ident, join, qualified, rendered, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { FunctionModel } from '../../types/functions.ts';
import type { Model, RoleModel, TablePermissions } from '../../types/model.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { ComputedArgument, ComputedField, TableModel } from '../../types/tables.ts';
import { keyParameters, parameterOf } from '../key-parameters.ts';
import { type ShownRows, shownRows } from '../views/shown-rows.ts';
import { wrapperGrant } from './computed-calls.ts';
import {
  fieldCall,
  functionCall,
  type OwnerCall,
  ownedFields,
  ownedFunctions,
  parameterName,
  wholeCall,
} from './owner-calls.ts';

type Scope = PrintScope & { readonly policyRole: string };

/** The functions of ours by which a role calls others with the rights of an owner, and its right to call them. */
export function ownerCallObjects(
  role: RoleModel,
  model: Pick<Model, 'functions' | 'tables'>,
  catalog: Catalog,
  scope: Scope,
): readonly DesiredObject[] {
  return [
    ...ownedFunctions(role, model).flatMap((called) => functionObjects(role, called, scope)),
    ...ownedFields(role, model).flatMap(({ table, field }) =>
      fieldObjects(role, { table, field }, catalog, scope),
    ),
  ];
}

function functionObjects(
  role: RoleModel,
  called: FunctionModel,
  scope: Scope,
): readonly DesiredObject[] {
  const own = functionCall(role, called, scope.tables);
  const shown = shownRows(role, called.result.table, ident('o'), scope);
  if (!own || !shown) return [];
  const { row, cells, where, returns } = shown;
  const source = callOf(called, own, scope, sql`null`);
  // A function of one row gives one of nulls where it has none.
  const some = called.returnsSet ? sql`` : sql` and not (${row}.* is null)`;
  return objects(role, own, scope, {
    returns,
    parameters: clientParameters(own, called.arguments),
    query: sql`select ${cells} from ${source} as ${row} where ${where}${some}`,
    call: wholeCall(called),
    expressions: shown.expressions,
    label: `call ${own.name} of ${label(called.function)} by ${role.name}`,
    position: called.position,
  });
}

function fieldObjects(
  role: RoleModel,
  { table, field }: { readonly table: TableModel; readonly field: ComputedField },
  catalog: Catalog,
  scope: Scope,
): readonly DesiredObject[] {
  const own = fieldCall(role, table, field, scope.tables);
  const rules = role.tables.get(table.key);
  const select = rules?.select;
  if (!own || !select) return [];
  const { result } = field;
  const row = ident('r');
  const shown =
    result.kind === 'rows' ? shownRows(role, result.table, ident('o'), scope) : undefined;
  const keyName = (index: number) => parameterName(`key ${index + 1}`, shown?.table);
  const columns = table.primaryKey;
  const givenAs = parameterOf(own.name);
  const keys = keyParameters({ table, catalog, columns, nameOf: keyName, givenAs });
  const print = (one: BoolExp) => printRule(one, table, { ...scope, written: true }, row).text;
  const found = [select.filter, ...keyCells(rules, select, table)];
  const conditions = [...keys.map(({ equal }) => equal), ...found.map(print)];
  scope.views.read(table, table.columns.keys());
  const visible = select.computedCells.get(field.name);
  const source = callOf(field, own, scope, sql`${row}.*`);
  const given = { source, row, conditions, shown, when: visible && print(visible) };
  return objects(role, own, scope, {
    returns: shown?.returns ?? (result.kind === 'scalar' ? typeSql(result.type) : sql`record`),
    parameters: [
      ...keys.map(({ name, type }) => sql`${name} ${type}`),
      ...clientParameters(own, field.arguments),
    ],
    query: queryOfField(table, given),
    call: wholeCall(field),
    expressions: [...found, ...(visible ? [visible] : []), ...(shown?.expressions ?? [])],
    label: `call ${own.name} of ${field.name} of ${label(table)} by ${role.name}`,
    position: select.position,
  });
}

/** When a role reads the key that it has a row found by: by one that it guesses it learns nothing. */
function keyCells(
  { joinCells }: TablePermissions,
  { cells, filter }: SelectRule,
  { primaryKey }: TableModel,
): readonly BoolExp[] {
  const conditions = primaryKey.flatMap((name) => joinCells.get(name) ?? cells.get(name) ?? []);
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
  return sql`select ${shown.cells} ${from} cross join lateral ${source} as ${shown.row} where ${found} and ${shown.where}`;
}

/** The call of a function with what the parameters of ours give. */
function callOf(field: OwnCall['field'], own: OwnerCall, scope: Scope, row: SqlText): SqlText {
  const clients = own.parameters.map((name) => qualified({ schema: own.name, name }));
  return callComputed(wholeCall(field), { row, session: scope.session, clients });
}

/** What is left out gets the default that the function itself has, computed as whoever calls. */
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
  /** Those that the query prints. */
  readonly expressions: readonly BoolExp[];
  readonly label: string;
  readonly position: Position;
}

/** Parsed when it is made, and never inlined: what it hides no condition of a client's gets to see. */
function objects(
  role: RoleModel,
  own: OwnerCall,
  { policyRole }: Scope,
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
