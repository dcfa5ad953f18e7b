import type pg from 'pg';
import type { VerifiedToken } from '../tokens/verify/verified-token.ts';

// The record of a revocation stays for some time after the token has expired, because clocks differ and a server may
// still accept the token for some seconds.
const retentionAfterExpiry = "interval '10 minutes'";

/** Revokes a token, and deletes the records of tokens that have expired. */
export async function revokeToken(pool: pg.Pool, token: VerifiedToken): Promise<void> {
  await pool.query(
    `with expired as (
       delete from rowgate_auth.revoked_token t
       where t.expires_at < pg_catalog.now() - ${retentionAfterExpiry} and t.digest <> $1
     )
     insert into rowgate_auth.revoked_token (digest, expires_at) values ($1, $2)
     on conflict (digest) do nothing`,
    [token.digest, token.expiresAt],
  );
}

/**
 * Returns whether a token was revoked. Only needed before a user exists, at the first sign-in; `findUserWithToken`
 * checks the tokens of existing users.
 */
export async function isRevoked(pool: pg.Pool, token: VerifiedToken): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from rowgate_auth.revoked_token t where t.digest = $1',
    [token.digest],
  );
  return rowCount !== 0;
}
