import type { PolicyView } from '../../expressions/print/policy-views.ts';
import { viewName } from '../../expressions/print/policy-views.ts';
import { type PrintedExpression, printRule } from '../../expressions/print/print-expression.ts';
import { readVariable, sessionObject } from '../../expressions/print/print-operand.ts';
import { ident, literal, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { Model } from '../../types/model.ts';
import type { TableKey, VariableName } from '../../types/names.ts';

/** Everything that turns a condition into SQL for a query of the owner. */
export interface RuleText {
  readonly model: Model;
  /** The tables to read: those of the model, or temporary ones. */
  readonly tables: Model['tables'];
  readonly table: TableKey;
  readonly role: string;
  /** The login that runs the query. As its own member it counts as a gateway, whose session variables are settings. */
  readonly login: string;
}

/** The alias of the tested row in the printed SQL. */
export const rowAlias = 'tested';

/**
 * Prints a condition as policies do, with their views written out: the views of a version that was never applied do not
 * exist.
 * @returns SQL that is `false` without a rule
 */
export function ruleText(expression: BoolExp | undefined, given: RuleText): string {
  const { model, tables, role, login } = given;
  const table = tables.get(given.table);
  if (!expression || !table) return 'false';
  const scope = { tables, gatewayRole: login, session: sessionObject(model, role) };
  const text = written(printRule(expression, table, scope, ident(rowAlias)));
  return model.variables.reduce((found, name) => withSetting(found, name, login), text);
}

/**
 * Replaces what reads a session variable by the setting alone. Policies also read the variables of direct logins, by a
 * function that does not exist before the first apply.
 */
function withSetting(text: string, name: VariableName, login: string): string {
  const setting = sql`nullif(pg_catalog.current_setting(${literal(`gql.${name}`)}, true), '')`;
  return text.replaceAll(readVariable(name, login).text, () => setting.text);
}

function written({ text, views }: PrintedExpression): string {
  return withViews(text.text, views);
}

/** Replaces the names of policy views by their queries. */
function withViews(text: string, views: readonly PolicyView[]): string {
  return views.reduce(
    (found, view) =>
      found.replaceAll(viewName(view).text, () => `(${withViews(view.query.text, view.below)})`),
    text,
  );
}
