import { variablesOf } from '../expressions/dependencies.ts';
import { hasFixedText } from '../expressions/literals.ts';
import { operandSql, readVariable } from '../expressions/print/print-operand.ts';
import { triggerFunction } from '../objects/functions/function.ts';
import { type DesiredObject, label } from '../objects/state/state-object.ts';
import { triggerObject } from '../objects/tables/trigger.ts';
import { headerOf } from '../text/names.ts';
import { digest, presetTrigger, systemRoles } from '../text/object-names.ts';
import { ident, join, literal, type SqlText, sql } from '../text/sql-text.ts';
import type { Operand } from '../types/expressions.ts';
import type { Model, RoleModel } from '../types/model.ts';
import type { VariableName } from '../types/names.ts';
import type { InsertRule, Preset, UpdateRule } from '../types/rules.ts';
import type { TableModel } from '../types/tables.ts';

/**
 * True if the presets apply to the current role: row security is active for the role on the table or on a table above.
 * The second case covers a partition that was attached after the last apply. Such a partition has no row security of
 * its own yet, but rows written through its parents are subject to the policies of the parents.
 */
const whoObeys = sql`pg_catalog.row_security_active(tg_relid)
    or exists (select from pg_catalog.pg_partition_ancestors(tg_relid) as a where pg_catalog.row_security_active(a.relid))`;

/** SQLSTATE of the error when a preset needs a session variable that is missing. The message names the variable. */
export const missingVariableState = 'RG001';

/**
 * Settings of the trigger function. With these settings, Postgres reads literals as when the policies were created,
 * whatever the settings of the session.
 */
const readAlike = sql`set timezone = 'UTC' set datestyle = 'ISO, MDY' set intervalstyle = 'postgres'`;

/**
 * Returns a column that an update names when the rule lets clients change no column and only its presets act. The
 * update assigns null to the column, because an UPDATE must name a column, and the trigger replaces the null by the
 * value of the preset. Undefined: the rule needs no such column.
 */
export function presetOnlyColumn(
  rule: Pick<UpdateRule | InsertRule, 'columns' | 'presets'>,
): string | undefined {
  return rule.columns.length === 0 ? rule.presets[0]?.column : undefined;
}

/**
 * Returns the trigger that applies presets. A trigger acts for every client of the database, not only for the gateway.
 * The name of the trigger sorts before ordinary names, so that it runs first. It acts for every role to which row
 * security applies.
 */
export function presetObjects(model: Model, table: TableModel): readonly DesiredObject[] {
  const roles = [...model.roles.values()];
  const branches = roles.flatMap((role) => roleBranches(model, table, role));
  if (branches.length === 0) return [];
  const body = sql`begin
  if ${whoObeys} then
${join(branches, '\n')}
  end if;
  return new;
end`;
  const name = `preset_${digest(label(table) + body.text)}`;
  const presets = roles.flatMap((role) => presetsOf(role, table));
  const called = triggerFunction({
    name,
    label: `preset function ${name} of ${label(table)}`,
    body,
    settings: presets.every(({ value }) => isReadAlike(value)) ? undefined : readAlike,
    position: table.position,
  });
  const trigger = triggerObject({
    name: presetTrigger,
    on: table,
    fires: 'before row insert update',
    function: name,
    position: table.position,
  });
  return [called, trigger];
}

function presetsOf(role: RoleModel, table: TableModel): readonly Preset[] {
  const rules = role.tables.get(table.key);
  return [...(rules?.insert?.presets ?? []), ...(rules?.update?.presets ?? [])];
}

function isReadAlike(value: Operand): boolean {
  return value.kind === 'now' || (value.kind !== 'column' && hasFixedText(value.type));
}

function roleBranches(model: Model, table: TableModel, role: RoleModel): readonly SqlText[] {
  const rules = role.tables.get(table.key);
  const cases: readonly (readonly [SqlText, readonly Preset[]])[] = [
    [sql`INSERT`, rules?.insert?.presets ?? []],
    [sql`UPDATE`, rules?.update?.presets ?? []],
  ];
  return cases.flatMap(([operation, presets]) => {
    if (presets.length === 0) return [];
    const acts = sql`tg_op operator(pg_catalog.=) '${operation}' and pg_catalog.pg_has_role(current_user, ${literal(role.postgresName)}::pg_catalog.name, 'USAGE'::pg_catalog.text)`;
    const lines = presets.map((preset) => assignment(preset, model));
    return [sql`    if ${acts} then\n${join(lines, '\n')}\n    end if;`];
  });
}

function assignment(preset: Preset, model: Model): SqlText {
  const gatewayRole = systemRoles(model).gateway;
  const { value } = preset;
  if (value.kind === 'column') throw new TypeError('a preset cannot be a column');
  const names = new Set(variablesOf([], [preset]).map((use) => use.variable));
  const demands = [...names].map((name) => demand(name, model));
  const set = sql`      new.${ident(preset.column)} := ${operandSql(value, gatewayRole)};`;
  return join([...demands, set], '\n');
}

function demand(name: VariableName, model: Model): SqlText {
  const reader = readVariable(name, systemRoles(model).gateway);
  const missing = literal(headerOf(name, model.headerPrefix));
  return sql`      if ${reader} is null then
        raise exception using errcode = ${literal(missingVariableState)}, message = pg_catalog.format('missing session variable: "%s"', ${missing});
      end if;`;
}
