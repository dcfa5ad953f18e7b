import type pg from 'pg';
import { Refusal } from '../../../http/answers/problem.ts';
import type { IdentityConfig } from '../../config/identity-config.ts';
import type { VerifiedToken } from '../tokens/verify/verified-token.ts';

/** The results of rowgate_auth.provision_user. */
type Outcome =
  | 'known'
  | 'invited'
  | 'founded'
  | 'departed'
  | 'without_email'
  | 'ambiguous'
  | 'uninvited';

/** The refusals by outcome. The outcome `departed` has no refusal: a deleted person is unknown at the next look-up. */
const refusals: { readonly [outcome in Outcome]?: { code: string; detail: string } } = {
  without_email: {
    code: 'email-missing',
    detail: 'the token has no e-mail address, which a new user needs',
  },
  ambiguous: {
    code: 'ambiguous-user',
    detail: 'several users have this e-mail address; an administrator must decide which one it is',
  },
  uninvited: {
    code: 'not-invited',
    detail: 'this e-mail address was not invited, or the identity provider has not verified it',
  },
};

/**
 * Creates the user of a token, unless the user exists.
 * @param signUp whether people without an invitation may sign up
 * @throws Refusal 403 when the person may not sign up
 */
export async function provisionUser(
  pool: pg.Pool,
  token: VerifiedToken,
  signUp: IdentityConfig['signUp'],
): Promise<void> {
  const { subject, email, emailIsVerified, name, issuedAt } = token;
  const { rows } = await pool.query<{ readonly outcome: Outcome }>(
    'select rowgate_auth.provision_user($1, $2, $3, $4, $5, $6) as outcome',
    [subject, email, emailIsVerified, name, issuedAt, signUp === 'open'],
  );
  const [row] = rows;
  const refusal = row && refusals[row.outcome];
  if (refusal) throw new Refusal({ status: 403, ...refusal });
}
