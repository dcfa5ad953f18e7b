import type { KeyObject } from 'node:crypto';
import jose from 'node-jose';
import type pino from 'pino';
import type { JwtKeys } from '../../../config/authentication/jwt-config.ts';
import { familyOf, type TokenAlgorithm } from '../../../config/signature-algorithms.ts';
import { errorMessage, ProcessError } from '../../../errors.ts';
import { TokenError } from '../token-error.ts';
import {
  verifyEdwardsSignature,
  verifySecretSignature,
  verifySignature,
} from '../verify-signature.ts';
import { type Discovered, discover, discoveryUrl } from './discovery.ts';
import { fetchKeySet, type KeySet } from './key-set.ts';
import { RefreshedValue } from './refreshed-value.ts';

/** Verifies the signature of a token with one key. @throws TokenError `signature` */
export type KeyCheck = (token: string) => Promise<void> | void;

/** The keys that verify the tokens of one issuer. */
export interface IssuerKeys {
  /**
   * Finds the keys that may have signed a token.
   * @param kid the id of the key; undefined: every key for the algorithm
   * @throws TokenError `unknown-key`, `algorithm`, `provider-unreachable`
   */
  checksFor(kid: string | undefined, algorithm: TokenAlgorithm): Promise<readonly KeyCheck[]>;
  close(): void;
}

/** The maximum number of keys that are tried for a token without the id of its key. */
const maxTried = 10;

/** @throws ProcessError RG_CONFIG when the keys cannot be found safely */
export async function openKeys(keys: JwtKeys, logger: pino.Logger): Promise<IssuerKeys> {
  if (keys.kind !== 'fixed') return openKeySet(keys, logger);
  const check = await keyCheck(keys.key);
  return {
    checksFor: async (_kid, algorithm) => {
      // Without this check, a token could name an algorithm that uses the key in another way.
      if (!keys.algorithms.includes(algorithm)) throw new TokenError('algorithm');
      return [(token) => check(token, algorithm)];
    },
    close: () => {},
  };
}

async function keyCheck(
  key: KeyObject,
): Promise<(token: string, algorithm: TokenAlgorithm) => Promise<void> | void> {
  if (key.asymmetricKeyType === 'ed25519') return (token) => verifyEdwardsSignature(token, key);
  if (key.type === 'secret') {
    const secret = key.export();
    return (token, algorithm) => verifySecretSignature(token, algorithm, secret);
  }
  const known = await jose.JWK.asKey(key.export({ format: 'jwk' }));
  return (token, algorithm) => verifySignature(token, algorithm, known);
}

function openKeySet(
  source: Exclude<JwtKeys, { readonly kind: 'fixed' }>,
  logger: pino.Logger,
): IssuerKeys {
  const { urlOfKeys, close } = openSource(source, logger);
  const keys = new RefreshedValue<KeySet>({
    load: async (signal) => fetchKeySet(await urlOfKeys(), signal),
    freshMsOf: ({ freshMs }) => freshMs,
    onFailure: (error) => logger.warn({ reason: reasonOf(error) }, 'cannot read a set of JWT keys'),
  });
  const { family } = source;
  return {
    checksFor: async (kid, algorithm) => {
      const isOther = family !== undefined && family !== familyOf(algorithm);
      if (isOther || familyOf(algorithm) === 'HS') throw new TokenError('algorithm');
      const known = checksIn(await keys.get(), kid, algorithm);
      const checks = known.length > 0 ? known : checksIn(await keys.renew(), kid, algorithm);
      if (checks.length > 0) return checks;
      // After a failed fetch, the issuer may have the key although it is unknown here.
      throw new TokenError(keys.hasFailed ? 'provider-unreachable' : 'unknown-key');
    },
    close: () => {
      keys.close();
      close();
    },
  };
}

function checksIn(
  keys: KeySet | undefined,
  kid: string | undefined,
  algorithm: TokenAlgorithm,
): readonly KeyCheck[] {
  if (!keys) return [];
  if (familyOf(algorithm) === 'Ed') {
    return keys.edwards
      .filter((one) => kid === undefined || one.kid === kid)
      .slice(0, maxTried)
      .map(
        ({ key }) =>
          (token) =>
            verifyEdwardsSignature(token, key),
      );
  }
  return keys.store
    .all({ alg: algorithm, ...(kid !== undefined && { kid }) })
    .slice(0, maxTried)
    .map((key) => (token) => verifySignature(token, algorithm, key));
}

interface KeySetSource {
  /** Rejects when the discovery document does not name the URL. */
  urlOfKeys(): Promise<string>;
  close(): void;
}

function openSource(
  source: Exclude<JwtKeys, { readonly kind: 'fixed' }>,
  logger: pino.Logger,
): KeySetSource {
  if (source.kind === 'set') return { urlOfKeys: async () => source.url, close: () => {} };
  const { issuer } = source;
  const url = discoveryUrl(issuer);
  if (url === undefined) throw notDiscoverable();
  const discovery = new RefreshedValue<Discovered>({
    load: (signal) => discover(issuer, url, signal),
    onFailure: (error) =>
      logger.warn(
        { reason: reasonOf(error) },
        'cannot read the discovery document of a JWT issuer',
      ),
  });
  return {
    urlOfKeys: async () => {
      const discovered = await discovery.get();
      if (discovered?.jwksUrl !== undefined) return discovered.jwksUrl;
      throw new Error(`${url} names no jwks_uri that is https`);
    },
    close: () => discovery.close(),
  };
}

/** Returns the message of the cause, because an error of `fetch` has its reason only in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return errorMessage(cause);
}

function notDiscoverable(): ProcessError {
  return new ProcessError('RG_CONFIG', 'the issuer of a JWT entry is not a URL with https', {
    hint: 'set jwk_url to the URL of its keys, or key to its public key',
    exitCode: 2,
  });
}
