import type pg from 'pg';
import { makeKey, openKey, type SigningSecrets } from './key-pair.ts';
import { insertKey, overlapHours, readKeys } from './key-table.ts';

export interface RotateOptions extends SigningSecrets {
  /** Whether nothing that was signed so far counts any longer; the old key need not open then. */
  readonly forget: boolean;
}

/**
 * Makes a new key that signs from now on, and returns its kid. The owner asks.
 * @throws ProcessError RG_CONFIG (exit 2) where the secrets do not open the old one: the servers would not start with
 * a new one that theirs does not open
 */
export async function rotateKeys(
  owner: pg.Client,
  { forget, ...secrets }: RotateOptions,
): Promise<string> {
  const fresh = await makeKey(secrets);
  await owner.query('begin');
  try {
    // One rotation at a time; readers go on.
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

/** The private half goes at once, for it will not be needed again; the public one when no token needs it. */
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
