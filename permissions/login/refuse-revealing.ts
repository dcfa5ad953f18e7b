import type pg from 'pg';
import { CommandError } from '../errors.ts';
import { findRevealingKeys } from '../lint/table/upsert-keys.ts';
import type { RoleModel } from '../types/model.ts';

/**
 * Refuses a login for a role whose upserts would reveal rows that its rules hide.
 * @throws CommandError RG_UPSERT_REVEALS
 */
export async function refuseRevealing(client: pg.ClientBase, role: RoleModel): Promise<void> {
  const [key] = await findRevealingKeys(client, [role]);
  if (!key) return;
  const { message, hint } = key;
  throw new CommandError('RG_UPSERT_REVEALS', message, { hint, exitCode: 1 });
}
