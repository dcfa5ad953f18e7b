import type pg from 'pg';
import type { VerifiedToken } from '../tokens/verify/verified-token.ts';

// Longer than the time for which clocks may differ: a token counts a little after it has expired.
const keptAfterExpiry = "interval '10 minutes'";

/** Lets a token count no more, and forgets of those before it what has expired since. */
export async function revokeToken(pool: pg.Pool, token: VerifiedToken): Promise<void> {
  await pool.query(
    `with expired as (
       delete from rowgate_auth.revoked_token t
       where t.expires_at < pg_catalog.now() - ${keptAfterExpiry} and t.digest <> $1
     )
     insert into rowgate_auth.revoked_token (digest, expires_at) values ($1, $2)
     on conflict (digest) do nothing`,
    [token.digest, token.expiresAt],
  );
}

/** For tokens of people who are not there yet; of others, `findHolder` knows. */
export async function isRevoked(pool: pg.Pool, token: VerifiedToken): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from rowgate_auth.revoked_token t where t.digest = $1',
    [token.digest],
  );
  return rowCount !== 0;
}
