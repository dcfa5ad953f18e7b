import type { Catalog } from '../../catalog/catalog.ts';
import { passesEveryRow } from '../../expressions/combine.ts';
import { grantedColumns } from '../../expressions/granted-columns.ts';
import type { PrintScope } from '../../expressions/print-comparison.ts';
import { printRule } from '../../expressions/print-expression.ts';
import { computedIn, filterColumns } from '../../expressions/reads.ts';
import { conjuncts } from '../../expressions/visit.ts';
import { executeObject } from '../../objects/execute.ts';
import { policyFunction } from '../../objects/function.ts';
import { type DesiredObject, label } from '../../objects/state/state-object.ts';
import { apiSchema, upsertGuardName } from '../../text/object-names.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { RoleModel } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import { wrapperGrant } from '../computed-fields/computed-calls.ts';
import { keyParameters, parameterOf } from '../key-parameters.ts';

/** A function of the database, by its name. */
export interface FunctionName {
  readonly schema: string;
  readonly name: string;
}

/**
 * How a role may turn existing rows of a table into others by an upsert. Where its update or select filter rejects
 * the row, Postgres fails rather than pass over it, so that the statement itself must ask first: `'open'` where both
 * let every row pass, else the function that says by a primary key (its columns in order) whether that row may be
 * updated. Undefined where the role has no insert, update or select rule, or where it cannot ask: the table has no
 * primary key, or not one that the role reads.
 */
export function upsertGuard(role: RoleModel, table: TableModel): FunctionName | 'open' | undefined {
  const rules = role.tables.get(table.key);
  if (!rules?.select || !rules.insert || !rules.update) return undefined;
  const filters = [rules.select.filter, rules.update.filter];
  if (filters.every(passesEveryRow)) return 'open';
  const { primaryKey, columns } = table;
  const readable = grantedColumns(rules);
  if (primaryKey.length === 0 || !primaryKey.every((key) => readable.includes(key))) {
    return undefined;
  }
  const keys = primaryKey.map((key) => [key, columns.get(key)?.type]);
  const facts = [role.postgresName, table.key, keys, filters];
  return { schema: apiSchema, name: upsertGuardName(JSON.stringify(facts, withoutTexts)) };
}

/** For JSON of filters: what people read of a computed field or relationship changes nothing of a function. */
export function withoutTexts(key: string, value: unknown): unknown {
  return ['description', 'rights', 'default'].includes(key) ? undefined : value;
}

export type GuardScope = PrintScope & { readonly policyRole: string };

/** The function that upsertGuard names, where it names one, and its role's right to call it. */
export function upsertGuardObjects(
  role: RoleModel,
  table: TableModel,
  catalog: Catalog,
  scope: GuardScope,
): readonly DesiredObject[] {
  const guard = upsertGuard(role, table);
  const rules = role.tables.get(table.key);
  if (!guard || guard === 'open' || !rules?.select || !rules.update) return [];
  const { target, objects } = passingFunction(guard, {
    ...{ table, catalog, scope, columns: table.primaryKey },
    filter: both(rules.select.filter, rules.update.filter),
    volatility: 'volatile',
    label: `upsert guard ${guard.name} of ${role.name} on ${label(table)}`,
    position: rules.update.position,
  });
  return [
    ...objects,
    executeObject({ id: guard.name, label: `${guard.name}(…)`, target }, role.postgresName),
  ];
}

interface Passing extends Pick<DesiredObject, 'label' | 'position'> {
  readonly table: TableModel;
  readonly catalog: Catalog;
  readonly scope: GuardScope;
  /** Of the key. */
  readonly columns: readonly string[];
  readonly filter: BoolExp;
  /** Volatile, it also knows rows that are younger than the statement which asks. */
  readonly volatility: 'stable' | 'volatile';
}

/**
 * A function that says whether the row with a key passes a filter, and what its owner needs for it. It is parsed when it
 * is made, so that its owner needs no way into the schemas of what it reads.
 */
export function passingFunction(
  called: FunctionName,
  { table, catalog, scope, columns, filter, volatility, ...about }: Passing,
): { readonly target: SqlText; readonly objects: readonly DesiredObject[] } {
  const keys = keyParameters({ table, catalog, columns, givenAs: parameterOf(called.name) });
  const target = sql`${qualified(called)}(${list(keys.map(({ type }) => type))})`;
  const row = ident('r');
  scope.views.read(table, [...columns, ...filterColumns(filter)]);
  const passes = printRule(filter, table, { ...scope, written: true }, row).text;
  const where = join([...keys.map(({ equal }) => equal), passes], ' and ');
  const head = sql`${qualified(called)}(${list(keys.map(({ name, type }) => sql`${name} ${type}`))})`;
  const body = sql`${head} returns pg_catalog.bool
  language sql ${volatility === 'stable' ? sql`stable` : sql`volatile`} security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from ${qualified(table)} as ${row} where ${where});
  end`;
  return {
    target,
    objects: [
      policyFunction({ ...about, name: called.name, target, body, owner: scope.policyRole }),
      ...computedIn(filter).flatMap((field) =>
        wrapperGrant({ field, asOwner: true }, scope.policyRole),
      ),
    ],
  };
}

function both(a: BoolExp, b: BoolExp): BoolExp {
  const parts = [a, b].flatMap(conjuncts).map((one) => [JSON.stringify(one), one] as const);
  return { kind: 'and', items: [...new Map(parts).values()] };
}

function list(parts: readonly SqlText[]): SqlText {
  return join(parts, ', ');
}
