import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogType } from '../catalog/types.ts';
import { computedIn } from '../model/computed-uses.ts';
import type { BoolExp, RoleModel, TableModel } from '../model/types.ts';
import { filterColumns } from '../model/variables.ts';
import { ident, join, qualified, type SqlText, sql } from '../sql/sql-text.ts';
import type { DesiredObject } from '../state/types.ts';
import { wrapperGrant } from './computed-calls.ts';
import { conjuncts, isOpen } from './conjuncts.ts';
import { commented, executeObject, label, stateId } from './desired.ts';
import { apiSchema, upsertGuardName } from './names.ts';
import { operatorSymbol } from './operator-symbol.ts';
import type { PrintScope } from './print-comparison.ts';
import { printRule } from './print-expression.ts';
import { typeSql } from './reader.ts';

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
  if (filters.every(isOpen)) return 'open';
  const { primaryKey, columns } = table;
  const readable = [...rules.select.columns, ...rules.hiddenKeys];
  if (primaryKey.length === 0 || !primaryKey.every((key) => readable.includes(key))) {
    return undefined;
  }
  const keys = primaryKey.map((key) => [key, columns.get(key)?.type]);
  const facts = [role.postgresName, table.key, keys, filters];
  return { schema: apiSchema, name: upsertGuardName(JSON.stringify(facts, withoutTexts)) };
}

// What people read of a computed field or relationship changes nothing of the function.
function withoutTexts(key: string, value: unknown): unknown {
  return key === 'description' ? undefined : value;
}

/** The function that upsertGuard names, where it names one, and its role's right to call it. */
export function upsertGuardObjects(
  role: RoleModel,
  table: TableModel,
  catalog: Catalog,
  scope: PrintScope & { readonly policyRole: string },
): readonly DesiredObject[] {
  const guard = upsertGuard(role, table);
  const rules = role.tables.get(table.key);
  if (!guard || guard === 'open' || !rules?.select || !rules.update) return [];
  const keys = guardKeys(guard, table, catalog);
  const target = sql`${qualified(guard)}(${list(keys.map(({ type }) => type))})`;
  const row = ident('r');
  const filter = both(rules.select.filter, rules.update.filter);
  scope.views.read(table, [...table.primaryKey, ...filterColumns(filter)]);
  const passes = printRule(filter, table, { ...scope, written: true }, row).text;
  const where = join([...keys.map(({ equal }) => equal), passes], ' and ');
  const head = sql`${qualified(guard)}(${list(keys.map(({ name, type }) => sql`${name} ${type}`))})`;
  const body = sql`${head} returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from ${qualified(table)} as ${row} where ${where});
  end`;
  return [
    guardObject(guard.name, target, body, scope.policyRole, {
      label: `upsert guard ${guard.name} of ${role.name} on ${label(table)}`,
      position: rules.update.position,
    }),
    executeObject({ id: guard.name, label: `${guard.name}(…)`, target }, role.postgresName),
    ...computedIn(filter).flatMap((field) =>
      wrapperGrant({ field, asOwner: true }, scope.policyRole),
    ),
  ];
}

function both(a: BoolExp, b: BoolExp): BoolExp {
  const parts = [a, b].flatMap(conjuncts).map((one) => [JSON.stringify(one), one] as const);
  return { kind: 'and', items: [...new Map(parts).values()] };
}

/**
 * Volatile, since the row may be younger than the statement's snapshot; parsed when it is made, so that its owner
 * needs no way into the schemas of what it reads.
 */
function guardObject(
  name: string,
  target: SqlText,
  body: SqlText,
  owner: string,
  about: Pick<DesiredObject, 'label' | 'position'>,
): DesiredObject {
  return commented({
    ...about,
    kind: 'function',
    id: stateId.function(name),
    facts: [owner],
    body,
    target: sql`function ${target}`,
    create: [
      sql`create function ${body}`,
      sql`revoke all on function ${target} from public`,
      sql`alter function ${target} owner to ${ident(owner)}`,
    ],
  });
}

interface GuardKey {
  readonly name: SqlText;
  readonly type: SqlText;
  /** That the row `r` has the key which is asked for. */
  readonly equal: SqlText;
}

/** Parameters are of what domains are made of, which their values turn into by themselves. */
function guardKeys(guard: FunctionName, table: TableModel, catalog: Catalog): readonly GuardKey[] {
  const columns = catalog.tables.get(table.key)?.columns ?? [];
  const as = (type: CatalogType): SqlText => typeSql(catalog.typeName(type));
  return table.primaryKey.map((key, index) => {
    const column = columns.find((one) => one.name === key);
    if (!column) throw new RangeError(`${table.key} has no column ${key}`);
    const type = catalog.base(catalog.type(column.type));
    const parameter = `k${index + 1}`;
    const found = catalog.operator('=', type);
    const asked = qualified({ schema: guard.name, name: parameter });
    const kept = found?.castTo ? sql`r.${ident(key)}::${as(found.castTo)}` : sql`r.${ident(key)}`;
    // Where no operator is to be trusted, no row is found and none is updated.
    const equal = found
      ? sql`(${kept} operator(${ident(found.operator.schema)}.${operatorSymbol('=')}) ${asked}::${as(found.right)})`
      : sql`false`;
    return { name: ident(parameter), type: as(type), equal };
  });
}

function list(parts: readonly SqlText[]): SqlText {
  return join(parts, ', ');
}
