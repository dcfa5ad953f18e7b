import { Refusal } from '../../../http/problem.ts';

/** Who asks has brought nothing that says so. */
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

/** The same for those who are not there, were deleted, or are disabled. */
export function unknownUser(): Refusal {
  return new Refusal({
    status: 401,
    code: 'unknown-user',
    detail: 'whoever this is for is not, or no longer, a user here',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
