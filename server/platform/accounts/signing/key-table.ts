import type pg from 'pg';
import type { NewKey, StoredKey } from './key-pair.ts';

/** A pool or a connection. */
export type Queryable = Pick<pg.Pool | pg.Client, 'query'>;

/**
 * The time in hours for which a replaced key still verifies. It exceeds the maximum lifetime of a token (12 hours), with a
 * reserve for processes that have not noticed the rotation yet.
 */
export const overlapHours = 24;

/** Reads the current key, if any, followed by the keys that still verify. */
export async function readKeys(database: Queryable): Promise<readonly StoredKey[]> {
  const { rows } = await database.query<StoredKey>({
    name: 'signing_keys',
    text: `select k.kid, k.public_jwk as "publicJwk", k.sealed_private_jwk as "encryptedPrivateJwk",
             k.retired_at is null as "isCurrent"
           from rowgate_auth.signing_key k
           where k.retired_at is null or k.retired_at > pg_catalog.now() - pg_catalog.make_interval(hours => $1)
           order by k.retired_at desc nulls first`,
    values: [overlapHours],
  });
  return rows;
}

/** Stores a key as the current one. Does nothing when there is a current key. */
export async function insertKey(database: Queryable, key: NewKey): Promise<void> {
  await database.query(
    `insert into rowgate_auth.signing_key (kid, public_jwk, sealed_private_jwk) values ($1, $2, $3)
     on conflict do nothing`,
    [key.kid, key.publicJwk, key.encryptedPrivateJwk],
  );
}
