import type { TableAccess } from '../../access/table-access.ts';
import { entryCondition } from '../../expressions/entry-condition.ts';
import { printRule } from '../../expressions/print/print-expression.ts';
import { grantObject } from '../../objects/privileges/grant.ts';
import { label } from '../../objects/state/state-object.ts';
import { type View, viewObject } from '../../objects/view.ts';
import { policyName } from '../../text/object-names.ts';
import { ident, join, literal, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { SelectRule } from '../../types/rules.ts';
import { type Compiled, type CompileScope, nothing } from '../compiled.ts';
import { maskedColumns, readableColumns } from './masked-columns.ts';
import { columnsRead } from './rows-view.ts';

/**
 * Returns the view through which a role reads a row by its key, and the role's right to read the view. It shows the
 * rows and columns that the policy and the column grants show. It differs from the policy only in how it tests a row. The
 * policy and the grants do not apply inside the view, so the view is empty once another program has restricted them.
 */
export function keyRowsObjects(access: TableAccess, scope: CompileScope): Compiled {
  const { role, table, rules, keyRows: name } = access;
  const { select } = rules;
  if (!name || !select) return nothing;
  const row = ident('r');
  const { columns } = maskedColumns(access, select, { table, row, scope });
  const where = printRule(select.filter, table, { ...scope, written: true }, row);
  const list = columns.map(({ text }) => text);
  const view = {
    name,
    label: `view ${name.name} of the rows of ${label(table)} by key for ${role.name}`,
    query: sql`select ${join(list, ', ')} from ${qualified(table)} as ${row} where ${unrestricted(access, select)} and ${where.text}`,
    position: select.position,
  };
  return {
    objects: readable(view, access, scope),
    needs: [...where.views, { table, columns: columnsRead(rules, select, table) }],
  };
}

/**
 * Prints a condition that holds while the reading role may read the columns of the table, the role's policy exists and
 * no restrictive policy does. Postgres evaluates the condition once per statement.
 */
function unrestricted({ role, table, rules }: TableAccess, select: SelectRule): SqlText {
  const on = sql`${literal(qualified(table).text)}::pg_catalog.regclass`;
  const own = literal(policyName(role.name, 'select'));
  const columns = readableColumns(select, rules, table).map(
    (name) => sql` and pg_catalog.has_column_privilege(${on}, ${literal(name)}, 'SELECT')`,
  );
  return sql`(select pg_catalog.bool_and(p.polpermissive)${join(columns, '')} from pg_catalog.pg_policy p where p.polrelid = ${on} and (p.polname = ${own} or not p.polpermissive))`;
}

/** Returns the view that is empty when a role sees no row of a table, and the role's right to read the view. */
export function entryCheckObjects(access: TableAccess, scope: CompileScope): Compiled {
  const { role, table, rules, entryCheck: name } = access;
  const condition = rules.select && entryCondition(rules.select.filter);
  if (!name || !condition) return nothing;
  const { text, views } = printRule(condition, table, scope);
  const view = {
    name,
    label: `view ${name.name} that tests whether ${role.name} sees rows of ${label(table)}`,
    query: sql`select true as "found" where ${text}`,
    position: rules.select?.position,
  };
  return { objects: readable(view, access, scope), needs: views };
}

function readable(view: Omit<View, 'owner'>, { role }: TableAccess, scope: CompileScope) {
  const { name, position } = view;
  return [
    viewObject({ ...view, owner: scope.policyRole }),
    grantObject({ privilege: 'SELECT', on: name, to: role.postgresName, position }),
  ];
}
