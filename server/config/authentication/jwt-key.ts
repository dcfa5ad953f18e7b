import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { TokenAlgorithm } from '../signature-algorithms.ts';
import { AuthenticationProblem } from './authentication-problem.ts';

/** A configured key, and the algorithms that it may verify. */
export interface ConfiguredKey {
  readonly key: KeyObject;
  readonly algorithms: readonly TokenAlgorithm[];
}

const minModulusBits = 2048;
const minExponent = 3n;

/** Checks the strength of a key. All elliptic curves that tokens use (RFC 7518, RFC 8037) are strong. */
export function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec' || asymmetricKeyType === 'ed25519') return true;
  // RFC 7518 requires 2048 bits. With an exponent of 1, anyone could forge signatures.
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  return modulusLength >= minModulusBits && publicExponent >= minExponent;
}

/**
 * Reads a key of a type such as RS256. The key verifies all suitable algorithms of its family, because existing
 * configurations often name another size than the tokens.
 * @throws AuthenticationProblem
 */
export function readJwtKey(type: string, text: string): ConfiguredKey {
  return type.startsWith('HS') ? secretKey(type, text) : publicKey(type, text);
}

/** RFC 7518 requires a secret of at least the size of the hash. */
function secretKey(type: string, text: string): ConfiguredKey {
  // Without this check, anyone who knows the public key could sign tokens with the key as the secret.
  if (text.includes('-----BEGIN')) {
    throw new AuthenticationProblem(`has a PEM key, but the type ${type} has a shared secret`);
  }
  const key = createSecretKey(text, 'utf8');
  const bytes = key.symmetricKeySize ?? 0;
  const algorithms = secretSizes.filter(([, min]) => bytes >= min).map(([name]) => name);
  if (algorithms.some((name) => name === type)) return { key, algorithms };
  const min = Number(type.slice(2)) / 8;
  throw new AuthenticationProblem(
    `has a secret of ${bytes} bytes; the type ${type} needs at least ${min}, e.g. of: openssl rand -hex ${min}`,
  );
}

const secretSizes = [
  ['HS256', 32],
  ['HS384', 48],
  ['HS512', 64],
] as const;

function publicKey(type: string, text: string): ConfiguredKey {
  if (text.includes('PRIVATE KEY')) {
    throw new AuthenticationProblem('has a private key; only the issuer of the tokens may have it');
  }
  const key = parsePublicKey(type, text);
  const algorithms = algorithmsOf(type, key);
  if (algorithms.length === 0) {
    throw new AuthenticationProblem(`has a key that does not fit the type ${type}`);
  }
  if (isStrong(key)) return { key, algorithms };
  throw new AuthenticationProblem(
    `has an RSA key that is too weak; it must have at least ${minModulusBits} bits`,
  );
}

function parsePublicKey(type: string, text: string): KeyObject {
  try {
    return createPublicKey(text);
  } catch {
    throw new AuthenticationProblem(
      `has a key that cannot be read; the type ${type} needs a public key or certificate in PEM`,
    );
  }
}

const curves: Readonly<Record<string, TokenAlgorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

function algorithmsOf(type: string, key: KeyObject): readonly TokenAlgorithm[] {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key;
  if (kind === 'rsa' && type.startsWith('RS')) return ['RS256', 'RS384', 'RS512'];
  if (kind === 'rsa' && type.startsWith('PS')) return ['PS256', 'PS384', 'PS512'];
  if (kind === 'ed25519' && type === 'Ed25519') return ['EdDSA', 'Ed25519'];
  const curve = kind === 'ec' ? curves[details?.namedCurve ?? ''] : undefined;
  return curve === type ? [curve] : [];
}
