import type pg from 'pg';
import type { ApiKeyCaller, ApiKeyScope } from '../user.ts';

export type KeyState = 'valid' | 'revoked' | 'expired';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly digest: Buffer;
  readonly scopes: ApiKeyScope[];
  readonly role: string | null;
  readonly organization_id: string | null;
  readonly state: KeyState;
  readonly is_unnoted: boolean;
}

/** A stored key. */
export interface FoundApiKey {
  readonly caller: ApiKeyCaller;
  /** The SHA-256 of the secret. */
  readonly digest: Buffer;
  readonly state: KeyState;
  /**
   * Whether the stored time of the key's last use must be updated, because it is absent or earlier than the current
   * minute.
   */
  readonly needsUseUpdate: boolean;
}

/** Finds a key by its id, whether it is valid or not. */
export async function findApiKey(pool: pg.Pool, id: string): Promise<FoundApiKey | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'find_api_key',
    text: `select k.id, k.name, k.digest, k.scopes, k.role, k.organization_id,
        case when k.revoked_at is not null then 'revoked'
          when k.expires_at <= pg_catalog.now() then 'expired' else 'valid' end as state,
        coalesce(k.last_used_at < pg_catalog.date_trunc('minute', pg_catalog.now()), true) as is_unnoted
      from rowgate_auth.api_key k where k.id = $1`,
    values: [id],
  });
  const [row] = rows;
  if (!row) return undefined;
  return {
    caller: {
      keyId: row.id,
      name: row.name,
      scopes: row.scopes,
      role: row.role ?? undefined,
      organizationId: row.organization_id ?? undefined,
    },
    digest: row.digest,
    state: row.state,
    needsUseUpdate: row.is_unnoted,
  };
}

/** Records the current minute as the time of the key's last use. Writes at most once a minute. */
export async function noteUse(pool: pg.Pool, id: string): Promise<void> {
  await pool.query({
    name: 'note_use_of_api_key',
    text: `update rowgate_auth.api_key k
      set last_used_at = pg_catalog.date_trunc('minute', pg_catalog.now())
      where k.id = $1
        and coalesce(k.last_used_at < pg_catalog.date_trunc('minute', pg_catalog.now()), true)`,
    values: [id],
  });
}
