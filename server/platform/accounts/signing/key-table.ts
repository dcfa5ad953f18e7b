import type pg from 'pg';
import type { NewKey, StoredKey } from './key-pair.ts';

/** A pool or a connection. */
export type Queryable = Pick<pg.Pool | pg.Client, 'query'>;

/**
 * For how long a key verifies after it signs no more, in hours: longer than any token lasts (12), with time for
 * processes that have not noticed yet.
 */
export const overlapHours = 24;

/** The current key first, where there is one, then those that still verify. */
export async function readKeys(database: Queryable): Promise<readonly StoredKey[]> {
  const { rows } = await database.query<StoredKey>({
    name: 'signing_keys',
    text: `select k.kid, k.public_jwk as "publicJwk", k.sealed_private_jwk as "sealedPrivateJwk",
             k.retired_at is null as "isCurrent"
           from rowgate_auth.signing_key k
           where k.retired_at is null or k.retired_at > pg_catalog.now() - pg_catalog.make_interval(hours => $1)
           order by k.retired_at desc nulls first`,
    values: [overlapHours],
  });
  return rows;
}

/** Makes this key the current one, unless there is one: then nothing happens. */
export async function insertKey(database: Queryable, key: NewKey): Promise<void> {
  await database.query(
    `insert into rowgate_auth.signing_key (kid, public_jwk, sealed_private_jwk) values ($1, $2, $3)
     on conflict do nothing`,
    [key.kid, key.publicJwk, key.sealedPrivateJwk],
  );
}
