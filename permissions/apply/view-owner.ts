import type pg from 'pg';
import { runStatements } from '../plan/run-statements.ts';
import { ident, sql } from '../text/sql-text.ts';

/**
 * Runs work while the connected role is a member of the role that owns the policy views and the upsert functions.
 * Postgres lets only a member create objects for a role. The membership ends after the work, or with the rollback when
 * the work fails, so the owner normally has no members.
 */
export async function asOwnerOfViews(
  client: pg.ClientBase,
  owner: { readonly role: string; readonly serverVersion: number },
  work: () => Promise<void>,
): Promise<void> {
  const role = ident(owner.role);
  const { rows } = await client.query<{ superuser: boolean }>(
    'select rolsuper as superuser from pg_catalog.pg_roles where rolname = current_user',
  );
  const options = owner.serverVersion >= 160000 ? sql` with inherit true, set true` : sql``;
  const join = rows[0]?.superuser ? [] : [sql`grant ${role} to current_user${options}`];
  const leave = rows[0]?.superuser ? [] : [sql`revoke ${role} from current_user`];
  const schemas = sql`schema rowgate_policy, rowgate_api`;
  await runStatements(client, [...join, sql`grant create on ${schemas} to ${role}`]);
  await work();
  await runStatements(client, [sql`revoke create on ${schemas} from ${role}`, ...leave]);
}
