import type pg from 'pg';
import { Refusal } from '../../../http/problem.ts';
import type { ApiKeyHolder, User } from '../user.ts';
import { findUser } from '../users/find-user.ts';

/**
 * Whom a token is to be for. A key of one organization does not learn who is in others.
 * @throws Refusal 404
 */
export async function holderFor(pool: pg.Pool, id: string, key: ApiKeyHolder): Promise<User> {
  const user = await findUser(pool, id);
  if (!user) throw noSuchUser();
  const isOthers = key.organizationId !== undefined && key.organizationId !== user.organizationId;
  if (isOthers) throw noSuchUser();
  return user;
}

/** @throws Refusal 403 where an organization is not the only one that it may be */
export function refuseOtherOrganization(wanted: string, only: string | undefined): void {
  if (only === undefined || wanted === only) return;
  const detail = 'the organization is not the one of the person, or not the one of the API key';
  throw new Refusal({ status: 403, code: 'wrong-organization', detail });
}

/** The same for those who are not there, are disabled, or are not for the key to know. */
export function noSuchUser(): Refusal {
  return new Refusal({
    status: 404,
    code: 'not-found',
    detail: 'there is no user with this userId',
  });
}
