import type pg from 'pg';
import {
  digestOf,
  formatApiKey,
  newApiKey,
} from '../../../../../server/platform/accounts/api-keys/api-key.ts';
import {
  insertApiKey,
  type NewApiKey,
} from '../../../../../server/platform/accounts/api-keys/key-store.ts';

/** A key, and what lets in by it. */
export interface StoredKey {
  readonly id: string;
  readonly text: string;
}

/** Makes a key of the scopes `sdk:workflow` and `sdk:kyc` for all organizations, unless told otherwise. */
export async function storeKey(
  owner: pg.Client,
  wanted: Partial<Omit<NewApiKey, 'id' | 'digest'>> = {},
): Promise<StoredKey> {
  const key = newApiKey();
  await insertApiKey(owner, {
    id: key.id,
    digest: digestOf(key.secret),
    name: 'test',
    scopes: ['sdk:workflow', 'sdk:kyc'],
    role: undefined,
    organizationId: undefined,
    expiresAt: undefined,
    ...wanted,
  });
  return { id: key.id, text: formatApiKey(key) };
}
