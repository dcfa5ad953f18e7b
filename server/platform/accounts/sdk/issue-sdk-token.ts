import type pg from 'pg';
import { sqlState } from '../../../../permissions/index.ts';
import type { IssuedToken } from '../issued-token.ts';
import { newSdkToken, type SdkKind, sdkTokenDigest } from './sdk-token.ts';

/** For whom a token is, and who asks for it. */
export interface SdkTokenRequest {
  readonly kind: SdkKind;
  readonly userId: string;
  readonly organizationId: string;
  readonly keyId: string;
  /** At which level the person is to be verified; absent: that of the profile. For the KYC SDK alone. */
  readonly levelName?: string | undefined;
}

interface Row {
  /** Of the attempt to begin; null for other SDKs than the one for KYC. */
  readonly status: string | null;
  readonly expires_at: Date | null;
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
  ), issued as (
    insert into rowgate_auth.sdk_token (digest, kind, user_id, organization_id, api_key_id, expires_at)
      select $1, $2, $3, $4, $5, pg_catalog.now() + interval '30 minutes'
      from profile p where coalesce(p.status, 'begun') = 'begun'
    returning expires_at
  )
  select p.status, i.expires_at from profile p left join issued i on true`;

/**
 * Stores a token, and the level of a KYC profile with it, in one transaction.
 * `locked`: compliance holds the profile; `other_level`: it is approved or in review at another one; `gone`: the person
 * has just been deleted. Nothing is stored then.
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
