import type pg from 'pg';
import { ProcessError } from '../../../errors.ts';

/** Refuses the id of an unknown person, with a connection of the owner. @throws ProcessError RG_USAGE, exit 1 */
export async function refuseUnknownUser(owner: pg.Client, id: string): Promise<void> {
  const { rowCount } = await owner.query('select from public."user" u where u.id = $1', [id]);
  if (rowCount === 0) throw noSuchUser(id);
}

/**
 * Makes a person an administrator of the platform or removes this right, with a connection of the owner.
 * @throws ProcessError RG_USAGE, exit 1, for an unknown person
 */
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
    hint: 'give the id at the identity provider, which is the column id of the table user; a user exists after the first sign-in',
  });
}
