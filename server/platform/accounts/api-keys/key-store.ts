import type pg from 'pg';
import type { ApiKeyScope } from '../user.ts';

/** A key to store. */
export interface NewApiKey {
  readonly id: string;
  readonly name: string;
  /** The SHA-256 of the secret. */
  readonly digest: Buffer;
  readonly scopes: readonly ApiKeyScope[];
  readonly role: string | undefined;
  readonly organizationId: string | undefined;
  /** Absent: the key does not expire. */
  readonly expiresAt: Date | undefined;
}

/** A key as `rowgate api-key list` shows it. */
export interface ListedApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  readonly role: string | null;
  readonly organizationId: string | null;
  readonly createdAt: Date;
  /** Rounded down to the minute. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Stores a key, with a connection of the owner. */
export async function insertApiKey(owner: pg.Client, key: NewApiKey): Promise<void> {
  await owner.query(
    `insert into rowgate_auth.api_key (id, name, digest, scopes, role, organization_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [key.id, key.name, key.digest, key.scopes, key.role, key.organizationId, key.expiresAt],
  );
}

/** Selects keys. An empty filter selects all keys. */
export interface KeyFilter {
  /** A part of the name, or the whole id. */
  readonly search?: string | undefined;
  readonly ids?: readonly string[];
  /** The id of the last key of the page before. */
  readonly after?: string | undefined;
  readonly limit?: number;
}

/** Lists keys, the oldest first, with a connection of the owner. */
export async function listApiKeys(
  owner: pg.ClientBase,
  { search, ids, after, limit }: KeyFilter = {},
): Promise<readonly ListedApiKey[]> {
  const { rows } = await owner.query<ListedApiKey>(
    `select k.id, k.name, k.scopes, k.role, k.organization_id as "organizationId",
       k.created_at as "createdAt", k.last_used_at as "lastUsedAt",
       k.expires_at as "expiresAt", k.revoked_at as "revokedAt"
     from rowgate_auth.api_key k
     where ($1::text is null or k.id = $1 or pg_catalog.strpos(pg_catalog.lower(k.name), pg_catalog.lower($1)) > 0)
       and ($2::text[] is null or k.id = any ($2))
       and ($3::text is null
         or (k.created_at, k.id) > (select a.created_at, a.id from rowgate_auth.api_key a where a.id = $3))
     order by k.created_at, k.id limit $4`,
    [search, ids, after, limit],
  );
  return rows;
}

/** Revokes a key and its SDK tokens permanently, with a connection of the owner. */
export async function revokeApiKey(
  owner: pg.ClientBase,
  id: string,
): Promise<'revoked' | 'was revoked before' | 'not there'> {
  const { rows } = await owner.query<{ readonly before: boolean }>(
    `with found as (select k.id, k.revoked_at is not null as before from rowgate_auth.api_key k where k.id = $1 for update),
       revoked as (
         update rowgate_auth.api_key k set revoked_at = pg_catalog.now()
         from found f where k.id = f.id and not f.before)
     select f.before from found f`,
    [id],
  );
  const [row] = rows;
  if (!row) return 'not there';
  return row.before ? 'was revoked before' : 'revoked';
}

/** Returns whether the organization exists, with a connection of the owner. */
export async function hasOrganization(owner: pg.Client, id: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    'select from public.organization o where o.id::text = pg_catalog.lower($1)',
    [id],
  );
  return rowCount === 1;
}
