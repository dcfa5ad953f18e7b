import type pg from 'pg';
import { makeKey, openKey, type SigningSecrets } from './key-pair.ts';
import { insertKey, overlapHours, readKeys } from './key-table.ts';

export interface RotateOptions extends SigningSecrets {
  /**
   * Whether all old keys are deleted, which invalidates their tokens. In that case the old key need not be decrypted.
   */
  readonly forget: boolean;
}

/**
 * Replaces the signing key by a new one, with a connection of the owner. Returns the `kid` of the new key.
 * @throws ProcessError RG_CONFIG (exit 2) when the secrets do not decrypt the old key. In that case the running servers
 * use another secret, and could not decrypt the new key either.
 */
export async function rotateKeys(
  owner: pg.Client,
  { forget, ...secrets }: RotateOptions,
): Promise<string> {
  const fresh = await makeKey(secrets);
  await owner.query('begin');
  try {
    // Only one rotation can run at a time. Readers are not blocked.
    await owner.query('lock table rowgate_auth.signing_key in share row exclusive mode');
    const current = (await readKeys(owner)).find(({ isCurrent }) => isCurrent);
    if (current && !forget) await openKey(current, secrets);
    await (forget ? forgetKeys(owner) : retireKey(owner));
    await insertKey(owner, fresh);
    await owner.query('commit');
    return fresh.kid;
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

/** Deletes the private key immediately, and the public key later, when no valid token needs it. */
async function retireKey(owner: pg.Client): Promise<void> {
  await owner.query(
    `delete from rowgate_auth.signing_key
     where retired_at <= pg_catalog.now() - pg_catalog.make_interval(hours => $1)`,
    [overlapHours],
  );
  await owner.query(
    `update rowgate_auth.signing_key set retired_at = pg_catalog.now(), sealed_private_jwk = ''
     where retired_at is null`,
  );
}

async function forgetKeys(owner: pg.Client): Promise<void> {
  await owner.query('delete from rowgate_auth.signing_key');
}
