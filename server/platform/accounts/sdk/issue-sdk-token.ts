import type pg from 'pg';
import { sqlState } from '../../../../permissions/index.ts';
import type { IssuedToken } from '../issued-token.ts';
import { newSdkToken, type SdkKind, sdkTokenDigest } from './sdk-token.ts';

/** The person for whom a token is issued, and the API key that requests it. */
export interface SdkTokenRequest {
  readonly kind: SdkKind;
  readonly userId: string;
  readonly organizationId: string;
  readonly keyId: string;
  /** The level at which the KYC SDK verifies the person; absent: the level of the profile. */
  readonly levelName?: string | undefined;
}

interface Row {
  /**
   * The status of the KYC profile from the database function `begin_kyc`; null for the workflow SDK, which has no KYC
   * profile.
   */
  readonly status: string | null;
  readonly expires_at: Date | null;
}

const foreignKeyViolation = '23503';

// Issues a token, and deletes up to 100 expired tokens, so that the table stays small. Skips tokens that another
// request is deleting, so that neither request waits.
const issue = `
  with profile as (
    select case when $2 = 'kyc' then rowgate_auth.begin_kyc($3, $6) end as status
  ), removed as (
    delete from rowgate_auth.sdk_token t where t.digest in (
      select e.digest from rowgate_auth.sdk_token e
      where e.expires_at <= pg_catalog.now()
      order by e.expires_at limit 100 for update skip locked)
  ), issued as (
    insert into rowgate_auth.sdk_token (digest, kind, user_id, organization_id, api_key_id, expires_at)
      select $1, $2, $3, $4, $5, pg_catalog.now() + interval '30 minutes'
      from profile p where coalesce(p.status, 'begun') = 'begun'
    returning expires_at
  )
  select p.status, i.expires_at from profile p left join issued i on true`;

/**
 * Issues a token, and sets the level of a KYC profile, in one transaction.
 * @returns the token, or the reason why nothing is stored. `locked`: compliance has locked the profile; `other_level`:
 * the profile is approved or in review at another level; `gone`: the person was deleted
 */
export async function issueSdkToken(
  pool: pg.Pool,
  { kind, userId, organizationId, keyId, levelName }: SdkTokenRequest,
): Promise<IssuedToken | 'locked' | 'other_level' | 'gone'> {
  const token = newSdkToken(kind);
  try {
    const { rows } = await pool.query<Row>({
      name: 'issue_sdk_token',
      text: issue,
      values: [sdkTokenDigest(token), kind, userId, organizationId, keyId, levelName ?? null],
    });
    const [row] = rows;
    if (row?.expires_at) return { token, expiresAt: row.expires_at };
    return row?.status === 'other_level' ? 'other_level' : 'locked';
  } catch (error) {
    if (sqlState(error) === foreignKeyViolation) return 'gone';
    throw error;
  }
}
