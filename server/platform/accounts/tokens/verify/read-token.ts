import { type SignatureAlgorithm, signatureAlgorithms } from '../../../config/identity-config.ts';
import { type JsonObject, readJsonObject } from './json-object.ts';
import { TokenError } from './token-error.ts';

/** Longer ones are refused before anything of them is decoded. */
export const longestToken = 8 * 1024;

/** What a token says, none of it believed yet. */
export interface UnverifiedToken {
  readonly algorithm: SignatureAlgorithm;
  /** Which key it says it is signed with. */
  readonly kid: string | undefined;
  /** In lower case, without `application/`. */
  readonly type: string | undefined;
  readonly claims: JsonObject;
  /** What the signature is of. */
  readonly signed: string;
}

/** They bring a key along, or change what is signed (RFC 7515, RFC 7797). */
const forbidden = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64'];

/** Takes a token apart (RFC 7519, in the compact form of a signature). @throws TokenError */
export function readToken(token: string): UnverifiedToken {
  if (token.length > longestToken) throw new TokenError('too-long');
  const parts = token.split('.', 4).map(decode);
  const [header, claims] = parts.slice(0, 2).map((part) => part && readJsonObject(part));
  if (parts.length !== 3 || parts.includes(undefined) || !header || !claims) {
    throw new TokenError('malformed');
  }
  if (forbidden.some((name) => Object.hasOwn(header, name))) {
    throw new TokenError('forbidden-header');
  }
  return {
    algorithm: readAlgorithm(header.alg),
    kid: readText(header.kid),
    type: readText(header.typ)
      ?.toLowerCase()
      .replace(/^application\//, ''),
    claims,
    signed: token.slice(0, token.lastIndexOf('.')),
  };
}

/** Undefined where it is not the one way of writing some bytes. */
function decode(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === part ? bytes : undefined;
}

function readAlgorithm(given: unknown): SignatureAlgorithm {
  const algorithm = signatureAlgorithms.find((one) => one === given);
  if (algorithm === undefined) throw new TokenError('algorithm');
  return algorithm;
}

function readText(given: unknown): string | undefined {
  if (given === undefined || (typeof given === 'string' && given !== '')) return given;
  throw new TokenError('malformed');
}
