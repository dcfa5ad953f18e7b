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

/** A stored API key together with its secret text, which the database does not contain. */
export interface StoredKey {
  readonly id: string;
  readonly text: string;
}

/**
 * Stores an API key. By default it has the scopes `sdk:workflow` and `sdk:kyc` for all
 * organizations.
 */
export async function storeKey(
  owner: pg.Client,
  values: Partial<Omit<NewApiKey, 'id' | 'digest'>> = {},
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
    ...values,
  });
  return { id: key.id, text: formatApiKey(key) };
}
