import type pg from 'pg';
import { errorCode } from '../../errors.ts';
import type { IssuedToken } from '../../issued-token.ts';
import { newSdkToken, type SdkKind, sdkTokenDigest } from './sdk-token.ts';

/** For whom a token is, and who asks for it. */
export interface SdkTokenRequest {
  readonly kind: SdkKind;
  readonly userId: string;
  readonly organizationId: string;
  readonly keyId: string;
  /** At which level the person is to be verified; for the KYC SDK alone. */
  readonly levelName?: string;
}

const foreignKeyViolation = '23503';

// Expired ones go on the way: those that nobody else is removing, and no more than one request can bear.
const issue = `
  with profile as (
    select case when $2 = 'kyc' then rowgate_auth.begin_kyc($3, $6) end as status
  ), removed as (
    delete from rowgate_auth.sdk_token t where t.digest in (
      select e.digest from rowgate_auth.sdk_token e
      where e.expires_at <= pg_catalog.now()
      order by e.expires_at limit 100 for update skip locked)
  )
  insert into rowgate_auth.sdk_token (digest, kind, user_id, organization_id, api_key_id, expires_at)
    select $1, $2, $3, $4, $5, pg_catalog.now() + interval '30 minutes'
    from profile p where p.status is distinct from 'locked'
  returning expires_at`;

/**
 * Stores a token, and the level of a KYC profile with it, in one transaction.
 * `locked`: compliance holds the profile; `gone`: the person has just been deleted. Nothing is stored then.
 */
export async function issueSdkToken(
  pool: pg.Pool,
  { kind, userId, organizationId, keyId, levelName }: SdkTokenRequest,
): Promise<IssuedToken | 'locked' | 'gone'> {
  const token = newSdkToken(kind);
  try {
    const { rows } = await pool.query<{ readonly expires_at: Date }>({
      name: 'issue_sdk_token',
      text: issue,
      values: [sdkTokenDigest(token), kind, userId, organizationId, keyId, levelName ?? null],
    });
    const [row] = rows;
    return row ? { token, expiresAt: row.expires_at } : 'locked';
  } catch (error) {
    if (errorCode(error) === foreignKeyViolation) return 'gone';
    throw error;
  }
}
