import {
  relationOf as relationOfAccess,
  type TableAccess,
  tableAccess,
} from '../../access/table-access.ts';
import type { ViewWrite } from '../../access/writes.ts';
import { grantedColumns } from '../../expressions/granted-columns.ts';
import { ident, identifiers, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import type { Principal } from '../suites/suite.ts';
import { become, ruledRole, type Session } from './session.ts';

/** The rules of a principal on a table that are in force. Undefined: the role has none. */
export function rulesOf(
  session: Session,
  principal: Principal,
  table: TableModel,
): TablePermissions | undefined {
  return ruledRole(session, principal).tables.get(table.key);
}

function accessOf(
  session: Session,
  principal: Principal,
  table: TableModel,
): TableAccess | undefined {
  const role = ruledRole(session, principal);
  const rules = role.tables.get(table.key);
  return rules && tableAccess(role, table, rules, session.model.tables);
}

/** The relation through which a principal does an operation, as a request over GraphQL does. */
export function relationOf(
  session: Session,
  principal: Principal,
  table: TableModel,
  operation: 'select' | Exclude<ViewWrite, 'return'>,
): SqlText {
  return relationOfAccess(accessOf(session, principal, table), table, operation);
}

/**
 * Becomes a principal that can name rows by their key. When its rules hide the key, the role gets the right to read it, which changes neither policies nor the visible rows. A rows view that masks columns is left aside: its rows
 * are those that the policy of the table shows.
 */
export async function becomeWithKey(
  session: Session,
  principal: Principal,
  table: TableModel,
): Promise<SqlText> {
  const access = accessOf(session, principal, table);
  const known = new Set(access ? grantedColumns(access.rules) : []);
  const hidden = table.primaryKey.filter((column) => !known.has(column));
  const { client } = session.rules;
  if (table.view) {
    await become(session, principal);
    return qualified(access?.rows ?? table);
  }
  const isMasked = access?.rows !== undefined;
  const granted = isMasked ? table.primaryKey : hidden;
  if (granted.length > 0) {
    const to = ident(principal.role.postgresName);
    const grant = sql`grant select (${identifiers(granted)}) on ${qualified(table)} to ${to}`;
    await client.query(grant.text);
  }
  await become(session, principal);
  return qualified(table);
}

/**
 * Shows a role all rows of a table, so that only its rules for writing decide. A statement that reads no column meets no
 * select rule either.
 */
export async function showAllRows(
  session: Session,
  { role }: Principal,
  table: TableModel,
): Promise<void> {
  const [relation, to] = [qualified(table), ident(role.postgresName)];
  const policy = sql`create policy rowgate_test on ${relation} for select to ${to} using (true)`;
  await session.rules.client.query(policy.text);
}
