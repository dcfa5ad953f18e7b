import type pg from 'pg';
import { Refusal } from '../../../http/problem.ts';
import type { IdentityConfig } from '../../config/identity-config.ts';
import type { VerifiedToken } from '../tokens/verify/verified-token.ts';

/** As rowgate_auth.provision_user says it. */
type Outcome =
  | 'known'
  | 'invited'
  | 'founded'
  | 'departed'
  | 'without_email'
  | 'ambiguous'
  | 'uninvited';

/** Why nobody is brought in; whoever has departed is left to be unknown. */
const refusals: { readonly [outcome in Outcome]?: { code: string; detail: string } } = {
  without_email: {
    code: 'email-missing',
    detail: 'the token names no e-mail address, without which nobody is brought in',
  },
  ambiguous: {
    code: 'ambiguous-user',
    detail: 'several people were entered with this e-mail address; an administrator has to say who',
  },
  uninvited: {
    code: 'not-invited',
    detail: 'nobody has invited this e-mail address, or the identity provider has not verified it',
  },
};

/**
 * Makes sure that the person of a token is there, as far as the person may be brought in.
 * @throws Refusal 403 where the person may not
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
