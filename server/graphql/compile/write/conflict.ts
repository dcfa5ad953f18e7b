import { type SQL, sql } from 'postgraphile/pg-sql2';
import { PLACEHOLDER } from '../../plugins/insert-types-plugin.ts';
import { validationFailed } from '../../request-error.ts';
import type { TableView } from '../../view/role-view.ts';
import type { UpsertView } from '../../view/table-writes.ts';
import type { Compilation } from '../compilation.ts';
import type { Input } from '../input.ts';
import { compileWhere } from '../where.ts';

/** ` on conflict …` for an `on_conflict` argument on the inserted table. @throws RequestError */
export function compileConflict(
  compilation: Compilation,
  table: TableView,
  alias: SQL,
  input: Input | undefined,
  path: string,
): SQL {
  const upsert = table.insert?.upsert;
  if (!input || input.isNull() || !upsert) return sql.blank;
  const given = Object.fromEntries(input.fields());
  const constraint = constraintOf(upsert, given.constraint);
  // Postgres lets an upsert see and leave only rows that the role may select.
  compilation.use(table.select);
  const columns = columnsOf(upsert, given.update_columns, path);
  if (columns.length === 0) return sql` on conflict on constraint ${constraint} do nothing`;
  if (table.update) compilation.use(table.update.rule);
  const changes = columns.map(
    (name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  );
  const conditions = [guardCondition(table, upsert, alias)];
  if (given.where && !given.where.isNull()) {
    conditions.push(compileWhere(compilation, table, alias, given.where));
  }
  const where = conditions.filter((condition) => condition !== undefined);
  const tail = where.length > 0 ? sql` where ${sql.join(where, ' and ')}` : sql.blank;
  return sql` on conflict on constraint ${constraint} do update set ${sql.join(changes, ', ')}${tail}`;
}

function constraintOf({ constraints }: UpsertView, input: Input | undefined): SQL {
  const name = constraints.get(String(input?.constant()));
  if (name === undefined) throw new Error('a constraint passed the check but is not known');
  return sql.identifier(name);
}

function columnsOf(upsert: UpsertView, input: Input | undefined, path: string): readonly string[] {
  return (input?.items() ?? []).map((item) => {
    const name = String(item.constant());
    const column = upsert.columns.get(name);
    if (!column || name === PLACEHOLDER) throw validationFailed('erroneous column name', path);
    return column.column;
  });
}

// A row that the role may not change is left as it is; without the question Postgres would refuse the statement.
function guardCondition({ model }: TableView, { guard }: UpsertView, alias: SQL): SQL | undefined {
  if (!guard) return undefined;
  const key = model.primaryKey.map((name) => sql`${alias}.${sql.identifier(name)}`);
  return sql`${sql.identifier(guard.schema, guard.name)}(${sql.join(key, ', ')})`;
}
