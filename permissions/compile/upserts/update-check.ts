import type { TableAccess } from '../../access/table-access.ts';
import { computedIn, filterColumns } from '../../expressions/dependencies.ts';
import { printRule } from '../../expressions/print/print-expression.ts';
import { conjuncts } from '../../expressions/visit.ts';
import { policyFunction } from '../../objects/functions/function.ts';
import { executeObject } from '../../objects/privileges/execute.ts';
import { type DesiredObject, label } from '../../objects/state/state-object.ts';
import type { ObjectName } from '../../text/object-names.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { TableModel } from '../../types/tables.ts';
import { type Compiled, type CompileScope, nothing } from '../compiled.ts';
import { wrapperGrant } from '../computed-fields/wrappers.ts';
import { keyParameters, parameterOf } from '../key-parameters.ts';

/**
 * Returns the update check of a role on a table, and the role's right to call it. An update check is a function that
 * returns whether an upsert may update an existing row.
 */
export function updateCheckObjects(access: TableAccess, scope: CompileScope): Compiled {
  const { role, table, rules, upserts } = access;
  const { updateCheck } = upserts;
  if (!updateCheck || updateCheck === 'open' || !rules.select || !rules.update) return nothing;
  const { target, objects, needs } = passingFunction(updateCheck, {
    ...{ table, scope, columns: table.primaryKey },
    filter: both(rules.select.filter, rules.update.filter),
    volatility: 'volatile',
    label: `upsert guard ${updateCheck.name} of ${role.name} on ${label(table)}`,
    position: rules.update.position,
  });
  const { name } = updateCheck;
  const execute = executeObject({ id: name, label: `${name}(…)`, target }, role.postgresName);
  return { objects: [...objects, execute], needs };
}

interface Passing extends Pick<DesiredObject, 'label' | 'position'> {
  readonly table: TableModel;
  readonly scope: CompileScope;
  /** The columns of the key. */
  readonly columns: readonly string[];
  readonly filter: BoolExp;
  /**
   * A volatile function also sees rows that were written after the calling statement began; a stable function does not.
   */
  readonly volatility: 'stable' | 'volatile';
}

/**
 * Returns a function that takes a key and returns whether that row passes a filter, and the rights that the function's
 * owner needs. Postgres parses the body on creation, so the owner needs no USAGE on the schemas that the body names.
 */
export function passingFunction(
  called: ObjectName,
  { table, scope, columns, filter, volatility, ...about }: Passing,
): Compiled & { readonly target: SqlText } {
  const { catalog } = scope;
  const keys = keyParameters({ table, catalog, columns, givenAs: parameterOf(called.name) });
  const target = sql`${qualified(called)}(${list(keys.map(({ type }) => type))})`;
  const row = ident('r');
  const passes = printRule(filter, table, { ...scope, written: true }, row);
  const where = join([...keys.map(({ equal }) => equal), passes.text], ' and ');
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
    needs: [{ table, columns: [...columns, ...filterColumns(filter)] }, ...passes.views],
  };
}

function both(a: BoolExp, b: BoolExp): BoolExp {
  const parts = [a, b].flatMap(conjuncts).map((one) => [JSON.stringify(one), one] as const);
  return { kind: 'and', items: [...new Map(parts).values()] };
}

function list(parts: readonly SqlText[]): SqlText {
  return join(parts, ', ');
}
