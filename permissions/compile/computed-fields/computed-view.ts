import { callInView } from '../../access/function-calls.ts';
import type { TableAccess } from '../../access/table-access.ts';
import { callComputed } from '../../expressions/print/print-call.ts';
import { printRule } from '../../expressions/print/print-expression.ts';
import { grantObject } from '../../objects/privileges/grant.ts';
import { label } from '../../objects/state/state-object.ts';
import { viewObject } from '../../objects/view.ts';
import { ident, join, qualified, sql } from '../../text/sql-text.ts';
import { type Compiled, type CompileScope, nothing } from '../compiled.ts';

/**
 * Returns the view that shows a role the computed fields of a table under their names in the metadata, and the role's
 * right to read the view. The policy role owns the view, so the view reads tables with the rights of the policy role.
 * The functions in the view run with the rights of the caller.
 */
export function computedViewObjects(
  { role, table, rules, computed }: TableAccess,
  scope: CompileScope,
): Compiled {
  const { select } = rules;
  const shown = [...computed.values()].flatMap((one) => (one.path === 'view' ? [one] : []));
  const [first] = shown;
  if (!select || !first) return nothing;
  const name = first.view;
  const row = ident('r');
  const keys = table.primaryKey.map((key) => sql`${row}.${ident(key)} as ${ident(key)}`);
  const given = { row: sql`${row}.*`, session: scope.session };
  const values = shown.map(
    ({ field }) => sql`${callComputed(callInView(field), given)} as ${ident(field.name)}`,
  );
  const where = printRule(select.filter, table, scope, row);
  const view = viewObject({
    name,
    label: `view ${name.name} of the computed fields of ${label(table)} for ${role.name}`,
    owner: scope.policyRole,
    query: sql`select ${join([...keys, ...values], ', ')} from ${qualified(table)} as ${row} where ${where.text}`,
    position: select.position,
  });
  const reader = { privilege: 'SELECT', on: name, to: role.postgresName } as const;
  return {
    objects: [view, grantObject({ ...reader, position: select.position })],
    needs: [...where.views, { table, columns: [...table.columns.keys()] }],
  };
}
