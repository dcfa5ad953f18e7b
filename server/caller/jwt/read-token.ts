import { type JsonObject, readJsonObject } from './json-object.ts';
import { TokenError } from './token-error.ts';

/** The maximum length of a token. Longer tokens are refused before they are decoded. */
export const maxTokenLength = 8 * 1024;

/** The contents of a token that is not verified yet. */
export interface UnverifiedToken<Algorithm extends string> {
  readonly algorithm: Algorithm;
  /** The id of the key that the token names as its signing key. */
  readonly kid: string | undefined;
  /** The `typ` of the header, in lower case and without `application/`. */
  readonly type: string | undefined;
  readonly claims: JsonObject;
  /** The signed part of the token: header and claims. */
  readonly signed: string;
}

/**
 * Header parameters for which a token is refused, because they supply a key or change the signed text (RFC 7515, RFC
 * 7797).
 */
const forbidden = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64'];

/**
 * Parses a token in the compact form (RFC 7519) without verifying it.
 * @param algorithms the algorithms that the token may name
 * @throws TokenError
 */
export function readToken<Algorithm extends string>(
  token: string,
  algorithms: readonly Algorithm[],
): UnverifiedToken<Algorithm> {
  if (token.length > maxTokenLength) throw new TokenError('too-long');
  const parts = token.split('.', 4).map(decode);
  const [header, claims] = parts.slice(0, 2).map((part) => part && readJsonObject(part));
  if (parts.length !== 3 || parts.includes(undefined) || !header || !claims) {
    throw new TokenError('malformed');
  }
  if (forbidden.some((name) => Object.hasOwn(header, name))) {
    throw new TokenError('forbidden-header');
  }
  return {
    algorithm: readAlgorithm(header.alg, algorithms),
    kid: readText(header.kid),
    type: readText(header.typ)
      ?.toLowerCase()
      .replace(/^application\//, ''),
    claims,
    signed: token.slice(0, token.lastIndexOf('.')),
  };
}

/** Decodes base64url; undefined for non-canonical text, so that each token has only one spelling. */
function decode(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === part ? bytes : undefined;
}

function readAlgorithm<A extends string>(given: unknown, algorithms: readonly A[]): A {
  const algorithm = algorithms.find((one) => one === given);
  if (algorithm === undefined) throw new TokenError('algorithm');
  return algorithm;
}

function readText(given: unknown): string | undefined {
  if (given === undefined || (typeof given === 'string' && given !== '')) return given;
  throw new TokenError('malformed');
}
