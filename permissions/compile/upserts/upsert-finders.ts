import type { Catalog } from '../../catalog/catalog.ts';
import { passesEveryRow } from '../../expressions/combine.ts';
import { grantedColumns } from '../../expressions/granted-columns.ts';
import { operandSql } from '../../expressions/print-operand.ts';
import { elementOf } from '../../model/tables/table-schemas.ts';
import { cursorName } from '../../objects/api-functions/update-each.ts';
import { executeObject } from '../../objects/execute.ts';
import { policyFunction } from '../../objects/function.ts';
import { schemaUsage } from '../../objects/schema-usage.ts';
import { type DesiredObject, label } from '../../objects/state/state-object.ts';
import { apiSchema, upsertFinderName, upsertSightName } from '../../text/object-names.ts';
import { ident, join, literal, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { Operand } from '../../types/expressions.ts';
import type { RoleModel, TablePermissions } from '../../types/model.ts';
import type { TableModel, UniqueConstraint } from '../../types/tables.ts';
import {
  type KeyParameter,
  keyParameterName,
  keyParameters,
  parameterOf,
} from '../key-parameters.ts';
import {
  type FunctionName,
  type GuardScope,
  passingFunction,
  upsertGuard,
  withoutTexts,
} from './upsert-guards.ts';

/**
 * How a role that may insert and update, but not name this constraint in `on conflict`, gets at the row in the way:
 * Postgres lets it change a row that it does not read only where a cursor stands, and this function opens one. It takes
 * the values of the constraint's columns in order; those that the insert rule presets it knows better itself. Undefined
 * where the role needs none or has no column to change, and where the change would not be known again by its key, or
 * the row in the way not by what is given: a preset of the update rule, or Postgres itself, makes a part of the key, or
 * triggers make other rows of new ones, which would be lost besides; or a null that nobody gave may be one.
 */
export function upsertFinder(
  role: RoleModel,
  table: TableModel,
  constraint: UniqueConstraint,
): FunctionName | undefined {
  const rules = role.tables.get(table.key);
  if (!rules?.insert || !rules.update || rules.update.columns.length === 0) return undefined;
  if (table.hasInsertTriggers || !constraint.nullsDistinct) return undefined;
  if (upsertGuard(role, table) !== undefined) {
    const readable = grantedColumns(rules);
    if (constraint.columns.every((name) => readable.includes(name))) return undefined;
  }
  const made = new Set(rules.update.presets.map(({ column }) => column));
  if (constraint.columns.some((name) => made.has(name) || table.columns.get(name)?.generated)) {
    return undefined;
  }
  const columns = typesOf(table, constraint);
  const facts = [role.postgresName, table.key, columns];
  return { schema: apiSchema, name: upsertFinderName(JSON.stringify(facts)) };
}

function typesOf(table: TableModel, { columns }: UniqueConstraint) {
  return columns.map((name) => [name, table.columns.get(name)?.type]);
}

interface FinderScope extends GuardScope {
  /** Which everybody may use. */
  readonly openSchemas: ReadonlySet<string>;
}

/** The functions that upsertFinder names, and what their role and their owner need for them. */
export function upsertFinderObjects(
  role: RoleModel,
  table: TableModel,
  catalog: Catalog,
  scope: FinderScope,
): readonly DesiredObject[] {
  const rules = role.tables.get(table.key);
  return table.uniqueConstraints.flatMap((constraint) => {
    const finder = upsertFinder(role, table, constraint);
    if (!finder || !rules) return [];
    // A row's version tells whether this transaction has made it.
    scope.views.read(table, [...constraint.columns, 'xmin']);
    return finderObjects({ finder, constraint, role, rules, table, catalog, scope });
  });
}

interface Finding {
  readonly finder: FunctionName;
  readonly constraint: UniqueConstraint;
  readonly role: RoleModel;
  readonly rules: TablePermissions;
  readonly table: TableModel;
  readonly catalog: Catalog;
  readonly scope: FinderScope;
}

/**
 * Only connections of the gateway are told anything: they insert first, and that a row has the key is no more than the
 * violation has said. The cursor shows no column, but whether the role sees the row, and its version. A value is looked
 * for as the column would keep it, rounded. A partition that is left out of the plan cannot be changed by the cursor,
 * even where the row is in another one.
 */
function finderObjects(finding: Finding): readonly DesiredObject[] {
  const { finder, constraint, role, rules, table, catalog, scope } = finding;
  const kept = sql`kept`;
  const givenAs = (name: string) => sql`${kept}.${ident(name)}`;
  const keys = keyParameters({ table, catalog, columns: constraint.columns, givenAs });
  const sight = sightOf(finding);
  const values = keys.map(({ name }) => sql`${kept}.${name}`);
  const shown = sight ? sql`${qualified(sight.called)}(${list(values)})` : sql`true`;
  const target = sql`${qualified(finder)}(${list(keys.map(({ type }) => type))})`;
  const head = sql`${qualified(finder)}(${list(keys.map(({ name, type }) => sql`${name} ${type}`))})`;
  const code = sql`
declare
  rowgate_rows pg_catalog.refcursor := ${literal(cursorName)};
begin
  if not pg_catalog.pg_has_role(session_user, ${literal(scope.gatewayRole)}::pg_catalog.name, 'MEMBER'::pg_catalog.text) then
    return null;
  end if;
${join(presetKeys(finding), '')}  if ${join(
    keys.map(({ name }) => sql`${name} is null`),
    ' or ',
  )} then
    return null;
  end if;
  <<${kept}>>
  declare
${join(keptKeys(finding), '')}  begin
    open rowgate_rows no scroll for select ${shown} as is_shown, r.xmin as version from ${qualified(table)} as r where ${join(
      keys.map(({ equal }) => equal),
      ' and ',
    )};
    return rowgate_rows;
  end;
end`;
  const body = sql`${head} returns pg_catalog.refcursor
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  set enable_partition_pruning = off
  set constraint_exclusion = off
  as ${literal(code.text)}`;
  return [
    ...schemasOf(finding, keys).map((name) => schemaUsage(name, scope.policyRole)),
    ...(sight?.objects ?? []),
    policyFunction({
      ...{ name: finder.name, target, body, owner: scope.policyRole },
      label: `upsert finder ${finder.name} of ${role.name} on ${label(table)}`,
      position: rules.update?.position ?? table.position,
    }),
    executeObject({ id: finder.name, label: `${finder.name}(…)`, target }, role.postgresName),
  ];
}

/** What tells whether the role sees the row; undefined where it sees every row, or may change what it does not see. */
function sightOf({ constraint, role, rules, table, catalog, scope }: Finding) {
  const { select } = rules;
  if (!select || passesEveryRow(select.filter)) return undefined;
  const facts = [role.postgresName, table.key, typesOf(table, constraint), select.filter];
  const name = upsertSightName(JSON.stringify(facts, withoutTexts));
  const called = { schema: apiSchema, name };
  const { objects } = passingFunction(called, {
    ...{ table, catalog, scope, columns: constraint.columns, filter: select.filter },
    volatility: 'stable',
    label: `upsert sight ${name} of ${role.name} on ${label(table)}`,
    position: select.position,
  });
  return { called, objects };
}

/** Bodies of this language are parsed as they are called. */
function schemasOf(
  { table, scope, ...finding }: Finding,
  keys: readonly KeyParameter[],
): readonly string[] {
  const named = new Set([table.schema, apiSchema, ...keys.flatMap(({ schemas }) => schemas)]);
  for (const { value } of keyPresets(finding)) {
    for (const schema of operandSchemas(value)) named.add(schema);
  }
  return [...named].filter((name) => name !== 'pg_catalog' && !scope.openSchemas.has(name));
}

function operandSchemas(operand: Operand): readonly string[] {
  if (operand.kind === 'column') return [];
  const items = operand.kind === 'array' ? operand.items.flatMap(operandSchemas) : [];
  return [operand.type.schema, elementOf(operand.type).schema, ...items];
}

function keyPresets({ constraint, rules }: Pick<Finding, 'constraint' | 'rules'>) {
  return (rules.insert?.presets ?? []).flatMap(({ column, value }) => {
    const index = constraint.columns.indexOf(column);
    return index === -1 || value.kind === 'column' ? [] : [{ index, value }];
  });
}

function presetKeys(finding: Finding): readonly SqlText[] {
  return keyPresets(finding).map(
    ({ index, value }) =>
      sql`  ${ident(keyParameterName(index))} := ${operandSql(value, finding.scope.gatewayRole)};\n`,
  );
}

function keptKeys({ finder, constraint, table }: Finding): readonly SqlText[] {
  return constraint.columns.map((column, index) => {
    const name = keyParameterName(index);
    const given = parameterOf(finder.name)(name);
    return sql`    ${ident(name)} ${qualified(table)}.${ident(column)}%type := ${given};\n`;
  });
}

function list(parts: readonly SqlText[]): SqlText {
  return join(parts, ', ');
}
