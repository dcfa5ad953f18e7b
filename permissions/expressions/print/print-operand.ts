import { headerOf } from '../../text/names.ts';
import { systemRoles } from '../../text/object-names.ts';
import { join, literal, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { Operand } from '../../types/expressions.ts';
import type { Model } from '../../types/model.ts';
import type { TypeName, VariableName, VariableUse } from '../../types/names.ts';

export function typeSql(type: TypeName): SqlText {
  return qualified(type);
}

/** Prints a text as a value of a type, or null. */
export function typedSql(text: string | null, type: TypeName): SqlText {
  return text === null ? sql`null::${typeSql(type)}` : sql`${literal(text)}::${typeSql(type)}`;
}

/**
 * Prints SQL that reads a session variable as text, or null if it is missing or empty. The settings of a connection are
 * trusted only if the gateway opened it. For direct logins the variables come from a table, because such a login could
 * change its own settings.
 */
export function readVariable(name: VariableName, gatewayRole: string): SqlText {
  const setting = literal(`gql.${name}`);
  return sql`(case when pg_catalog.pg_has_role(session_user, ${literal(gatewayRole)}::pg_catalog.name, 'MEMBER'::pg_catalog.text) then nullif(pg_catalog.current_setting(${setting}::pg_catalog.text, true), ''::pg_catalog.text) else rowgate_api.login_variable(${literal(name)}::pg_catalog.text) end)`;
}

/**
 * Prints the session variables as a jsonb object, for functions that take them as an argument. It holds the role of the
 * rule and each variable that is set, by header name in lower case, as in Hasura. The variables of the model are read
 * one by one, because a gateway of an older version sets only these.
 */
export function sessionObject(model: Model, role: string): SqlText {
  const made = sessionObjects.get(model) ?? new Map<string, SqlText>();
  sessionObjects.set(model, made);
  const session = made.get(role) ?? makeSessionObject(model, role);
  made.set(role, session);
  return session;
}

/**
 * Printed session objects, by role. They are cached, because each names every variable, and every table of a role needs
 * it.
 */
const sessionObjects = new WeakMap<Model, Map<string, SqlText>>();

function makeSessionObject(model: Model, role: string): SqlText {
  const { headerPrefix, variables } = model;
  const { gateway } = systemRoles(model);
  const headers = variables.map((name) => literal(headerOf(name, headerPrefix)));
  const names = [literal(`${headerPrefix.toLowerCase()}role`), ...headers];
  const values = [literal(role), ...variables.map((name) => readVariable(name, gateway))];
  const texts = (list: readonly SqlText[]) => sql`array[${join(list, ', ')}]::pg_catalog.text[]`;
  const known = sql`pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_object(${texts(names)}, ${texts(values)}))`;
  const all = sql`rowgate_api.session_variables(${literal(headerPrefix.toLowerCase())}::pg_catalog.text)`;
  return sql`(select ${all} operator(pg_catalog.||) ${known})`;
}

/**
 * Prints the variable check: a condition that is true if all these session variables are set. It comes first in every
 * policy, check and view that reads a variable, so that a missing variable always closes the rule. Undefined if no
 * variable is read.
 */
export function variableCheck(
  uses: readonly VariableUse[],
  gatewayRole: string,
): SqlText | undefined {
  const names = [...new Set(uses.map((use) => use.variable))].sort();
  if (names.length === 0) return undefined;
  const present = names.map((name) => sql`${readVariable(name, gatewayRole)} is not null`);
  return sql`(select ${join(present, ' and ')})`;
}

/**
 * Prints a value as SQL. A variable is read in a scalar subselect, so that Postgres reads it once per statement and not
 * once per row. An array is cast inside the subselect, so that its text is parsed once, and again outside. Without the
 * outer cast, `= any (select …)` would compare with the rows of the subselect and not with the elements.
 */
export function operandSql(
  operand: Exclude<Operand, { kind: 'column' }>,
  gatewayRole: string,
): SqlText {
  switch (operand.kind) {
    case 'literal':
      return sql`${literal(operand.text)}::${typeSql(operand.type)}`;
    case 'variable': {
      const reader = readVariable(operand.name, gatewayRole);
      return operand.type.element
        ? sql`(select ${reader}::${typeSql(operand.type)})::${typeSql(operand.type)}`
        : sql`(select ${reader}::${typeSql(operand.type)})`;
    }
    // Postgres would evaluate the literal 'now' when the rule is compiled, not when the rule is applied.
    case 'now':
      return now(operand.type);
    case 'array': {
      const items = operand.items.map((item) =>
        operandSql(item as Exclude<Operand, { kind: 'column' }>, gatewayRole),
      );
      return sql`array[${join(items, ', ')}]::${typeSql(operand.type)}`;
    }
  }
}

/** Prints the current date or time in UTC, because a caller could change its own time zone and so the result. */
function now(type: TypeName): SqlText {
  const utc = sql`'UTC'::pg_catalog.text`;
  switch (type.name) {
    case 'timestamptz':
      return sql`pg_catalog.now()::${typeSql(type)}`;
    case 'timetz':
      return sql`pg_catalog.timezone(${utc}, pg_catalog.now()::${typeSql(type)})`;
    default:
      return sql`pg_catalog.timezone(${utc}, pg_catalog.now())::${typeSql(type)}`;
  }
}
