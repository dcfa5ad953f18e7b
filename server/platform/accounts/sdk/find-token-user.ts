import type pg from 'pg';
import { Refusal } from '../../../http/answers/problem.ts';
import type { ApiKeyCaller, User } from '../user.ts';
import { findUser } from '../users/find-user.ts';

/**
 * Finds the person for whom an API key requests a token. A key of one organization cannot find out who belongs to other
 * organizations.
 * @throws Refusal 404
 */
export async function findTokenUser(pool: pg.Pool, id: string, key: ApiKeyCaller): Promise<User> {
  const user = await findUser(pool, id);
  if (!user) throw noSuchUser();
  const isOutside = key.organizationId !== undefined && key.organizationId !== user.organizationId;
  if (isOutside) throw noSuchUser();
  return user;
}

/**
 * Refuses a request for another organization than the allowed one.
 * @param allowed the only allowed organization; absent: all
 * @throws Refusal 403 for another organization
 */
export function refuseOtherOrganization(requested: string, allowed: string | undefined): void {
  if (allowed === undefined || requested === allowed) return;
  const detail = 'the organization is not the one of the person, or not the one of the API key';
  throw new Refusal({ status: 403, code: 'wrong-organization', detail });
}

/** Makes the same refusal for people who do not exist, are disabled, or are outside the key's organization. */
export function noSuchUser(): Refusal {
  return new Refusal({
    status: 404,
    code: 'not-found',
    detail: 'there is no user with this userId',
  });
}
