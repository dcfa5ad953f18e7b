import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import jose from 'node-jose';
import type { SignatureAlgorithm } from '../../../config/identity-config.ts';
import { thumbprintOf } from './thumbprint.ts';

/** A public key, and what it may verify. */
export interface VerificationKey {
  /** As its owner calls it; not everybody gives names. */
  readonly kid: string | undefined;
  /** Tells the key itself apart from others (RFC 7638). */
  readonly thumbprint: string;
  readonly algorithms: ReadonlySet<SignatureAlgorithm>;
  readonly key: jose.JWK.Key;
}

// RFC 7518 asks for no less; a small exponent of 1 would make every text its own signature.
const shortestModulus = 2048;
const smallestExponent = 3n;

const ofRsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;
const ofCurve: Readonly<Record<string, SignatureAlgorithm>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
};

/**
 * One entry of a key set; undefined for what verifies no signature of ours: shared secrets, private keys (which nobody
 * should have sent), keys for encryption, weak or broken ones.
 */
export async function readVerificationKey(entry: unknown): Promise<VerificationKey | undefined> {
  if (!isJwk(entry) || entry.d !== undefined || !isForSignatures(entry)) return undefined;
  const given = publicKeyOf(entry);
  const fitting = given ? algorithmsOf(given) : [];
  const algorithms = fitting.filter((one) => entry.alg === undefined || entry.alg === one);
  if (!given || algorithms.length === 0) return undefined;
  // Written anew, so that nothing but the key itself reaches the library.
  const jwk = given.export({ format: 'jwk' });
  return {
    kid: entry.kid,
    thumbprint: thumbprintOf(jwk),
    algorithms: new Set(algorithms),
    key: await jose.JWK.asKey(jwk),
  };
}

interface Jwk extends JsonWebKey {
  readonly kty: 'RSA' | 'EC';
  readonly kid?: string;
}

function isJwk(entry: unknown): entry is Jwk {
  if (typeof entry !== 'object' || entry === null || !('kty' in entry)) return false;
  if ('kid' in entry && typeof entry.kid !== 'string') return false;
  return entry.kty === 'RSA' || entry.kty === 'EC';
}

function isForSignatures({ use, key_ops: operations }: JsonWebKey): boolean {
  if (use !== undefined && use !== 'sig') return false;
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'));
}

function publicKeyOf(entry: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: entry, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function algorithmsOf(key: KeyObject): readonly SignatureAlgorithm[] {
  if (key.asymmetricKeyType === 'ec') {
    const algorithm = ofCurve[key.export({ format: 'jwk' }).crv ?? ''];
    return algorithm ? [algorithm] : [];
  }
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  const isStrong = modulusLength >= shortestModulus && publicExponent >= smallestExponent;
  return isStrong ? ofRsa : [];
}
