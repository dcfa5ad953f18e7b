import type pg from 'pg';
import type { SdkKind } from './sdk-token.ts';

/** For whom a token was issued. */
export interface SdkTokenHolder {
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
 * Whom a token stands for at this moment; undefined where it does not count any more: expired, the key that asked for it
 * ended, or the person disabled, deleted or elsewhere.
 */
export async function findSdkToken(
  pool: pg.Pool,
  digest: Buffer,
): Promise<SdkTokenHolder | undefined> {
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
