import type pg from 'pg';
import { ProcessError } from '../../../errors.ts';

/** Goes on only for a person who is there, disabled or not. The owner asks. @throws ProcessError RG_USAGE, exit 1 */
export async function refuseUnknownUser(owner: pg.Client, id: string): Promise<void> {
  const { rowCount } = await owner.query('select from public."user" u where u.id = $1', [id]);
  if (rowCount === 0) throw noSuchUser(id);
}

/** Makes somebody an administrator of the platform, or no longer. The owner asks. @throws ProcessError RG_USAGE, exit 1 */
export async function setPlatformAdmin(
  owner: pg.Client,
  id: string,
  isAdmin: boolean,
): Promise<void> {
  const { rowCount } = await owner.query(
    'update public."user" u set platform_admin = $2 where u.id = $1',
    [id, isAdmin],
  );
  if (rowCount === 0) throw noSuchUser(id);
}

function noSuchUser(id: string): ProcessError {
  return new ProcessError('RG_USAGE', `there is no user "${id}"`, {
    hint: 'a user is named by the id at the identity provider, the column id of the table user; it is there after the first sign-in',
  });
}
