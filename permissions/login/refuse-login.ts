import type pg from 'pg';
import { CommandError } from '../errors.ts';
import { revokeTemporary } from '../lint/database/temporary-objects.ts';
import { findRevealingKeys } from '../lint/table/upsert-keys.ts';
import { roleComment } from '../objects/roles/role.ts';
import type { Installation } from '../objects/state/installation.ts';
import type { RoleModel } from '../types/model.ts';
import { currentDatabase } from './connect-privilege.ts';
import { findRole } from './find-role.ts';
import { loginComment } from './login-name.ts';

/** Refuses a name that another Postgres role already has. */
export async function refuseTaken(
  client: pg.ClientBase,
  name: string,
  { id }: Installation,
): Promise<void> {
  const taken = await findRole(client, name);
  if (!taken) return;
  const ours = taken.comment === loginComment(id);
  throw new CommandError(
    'RG_LOGIN',
    ours
      ? `there is a login "${name}" already`
      : `"${name}" is already a Postgres role, which Rowgate did not create`,
    {
      hint: ours ? `run \`rowgate login drop ${name}\` first` : 'choose another name',
      exitCode: 1,
    },
  );
}

/** Refuses a role of the metadata that was not yet applied to this database. */
export async function refuseUnapplied(
  client: pg.ClientBase,
  role: RoleModel,
  { id }: Installation,
): Promise<void> {
  const found = await findRole(client, role.postgresName);
  if (found?.comment === roleComment(id)) return;
  throw new CommandError('RG_LOGIN', `role ${role.name} is not in the database yet`, {
    hint: 'run `rowgate apply` first',
    exitCode: 1,
  });
}

/**
 * Refuses a login for a role whose upserts would reveal hidden rows: over SQL, an upsert can conflict with such a row
 * and test its values.
 * @throws CommandError RG_UPSERT_REVEALS
 */
export async function refuseRevealing(client: pg.ClientBase, role: RoleModel): Promise<void> {
  const [key] = await findRevealingKeys(client, [role]);
  if (!key) return;
  const { message, hint } = key;
  throw new CommandError('RG_UPSERT_REVEALS', message, { hint, exitCode: 1 });
}

/**
 * Refuses a login that may create temporary tables. Functions in rules read tables by name, and Postgres searches
 * temporary tables first. So the login could make a rule read its own table.
 */
export async function refuseTemporary(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    `select pg_catalog.has_database_privilege($1::name, pg_catalog.current_database(), 'TEMPORARY')
       and exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
         where n.nspname = 'rowgate_policy' and p.prosecdef and p.prorettype <> 'pg_catalog.trigger'::pg_catalog.regtype) as may`,
    [name],
  );
  if (rows[0]?.may !== true) return;
  throw new CommandError(
    'RG_LOGIN',
    `"${name}" could make temporary tables, which functions that rules call could take for others`,
    { hint: revokeTemporary(await currentDatabase(client)), exitCode: 1 },
  );
}
