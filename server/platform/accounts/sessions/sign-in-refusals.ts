import { Refusal } from '../../../http/answers/problem.ts';

/** Makes the refusal of a request without credentials. */
export function unauthenticated(): Refusal {
  return new Refusal({
    status: 401,
    code: 'unauthenticated',
    detail: 'there is no valid session; sign in, or send a token as: Authorization: Bearer <token>',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

export function invalidToken(detail: string): Refusal {
  return new Refusal({
    status: 401,
    code: 'invalid-token',
    detail,
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}

/** Makes the same refusal for people who are unknown, deleted or disabled. */
export function unknownUser(): Refusal {
  return new Refusal({
    status: 401,
    code: 'unknown-user',
    detail: 'the person of this session or token is not a user here, or not any more',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** Makes the refusal of people who do not administer the platform. */
export function notAdmin(): Refusal {
  const detail = 'this is for admins of the platform';
  return new Refusal({ status: 403, code: 'not-admin', detail });
}
