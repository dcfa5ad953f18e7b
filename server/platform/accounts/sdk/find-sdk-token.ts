import type pg from 'pg';
import type { SdkKind } from './sdk-token.ts';

/** The person for whom a token was issued. */
export interface SdkTokenSubject {
  readonly kind: SdkKind;
  readonly userId: string;
  readonly organizationId: string;
  readonly expiresAt: Date;
}

interface Row {
  readonly kind: SdkKind;
  readonly user_id: string;
  readonly organization_id: string;
  readonly expires_at: Date;
}

/**
 * Finds the person of a token by the token's digest. Returns undefined when the token is unknown or expired, its API key
 * was revoked, or its person was disabled, deleted or moved to another organization.
 */
export async function findSdkToken(
  pool: pg.Pool,
  digest: Buffer,
): Promise<SdkTokenSubject | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'find_sdk_token',
    text: `select t.kind, t.user_id, t.organization_id, s.expires_at
      from rowgate_auth.find_sdk_token($1) t join rowgate_auth.sdk_token s on s.digest = $1`,
    values: [digest],
  });
  const [row] = rows;
  return (
    row && {
      kind: row.kind,
      userId: row.user_id,
      organizationId: row.organization_id,
      expiresAt: row.expires_at,
    }
  );
}
