import type { RawJwt } from '../../../permissions/index.ts';
import type { AlgorithmFamily } from '../signature-algorithms.ts';
import { AuthenticationProblem } from './authentication-problem.ts';
import { type ClaimsConfig, readClaimsConfig, refuseBeside } from './claims-config.ts';
import { type ConfiguredKey, readJwtKey } from './jwt-key.ts';
import { type SettingContext, textOf, urlOf } from './setting-reader.ts';

/** One issuer of tokens, or one of its keys. */
export interface JwtConfig {
  readonly keys: JwtKeys;
  /** The accepted audiences; absent: any. */
  readonly audiences: readonly string[] | undefined;
  /** The exact value of `iss`; absent: any. */
  readonly issuer: string | undefined;
  /** The tolerated difference between the clocks, in seconds; default 0. */
  readonly allowedSkew: number;
  readonly location: TokenLocation;
  readonly claims: ClaimsConfig;
}

export type JwtKeys =
  | ({ readonly kind: 'fixed' } & ConfiguredKey)
  /** A key set at a URL, limited to one family of algorithms when a family is configured. */
  | {
      readonly kind: 'set';
      readonly url: string;
      readonly family: AlgorithmFamily | undefined;
    }
  /** A key set whose URL is in the discovery document of the issuer. */
  | {
      readonly kind: 'discovery';
      readonly issuer: string;
      readonly family: AlgorithmFamily | undefined;
    };

/** The part of a request that carries the token. */
export type TokenLocation =
  | { readonly kind: 'authorization' }
  | { readonly kind: 'cookie'; readonly name: string }
  /** The name is in lower case. */
  | { readonly kind: 'header'; readonly name: string };

/** @throws AuthenticationProblem */
export function readJwtConfig(raw: RawJwt, context: SettingContext): JwtConfig {
  const issuer = raw.issuer === undefined ? undefined : textOf(raw.issuer, context);
  const { audience } = raw;
  return {
    keys: readKeys(raw, issuer, context),
    audiences: typeof audience === 'string' ? [audience] : audience,
    issuer,
    allowedSkew: raw.allowed_skew ?? 0,
    location: readLocation(raw.header),
    claims: readClaimsConfig(raw, context),
  };
}

function readKeys(
  { type, key, jwk_url: jwkUrl }: RawJwt,
  issuer: string | undefined,
  context: SettingContext,
): JwtKeys {
  if (key !== undefined) {
    if (jwkUrl !== undefined) refuseBeside('key', { jwk_url: 'given' });
    if (type === undefined) throw new AuthenticationProblem('has a key without its type');
    if (type.startsWith('HS') && typeof key === 'string' && context.isFile) {
      throw new AuthenticationProblem(
        'has a secret in the file; write key: { from_env: NAME } and set that variable',
      );
    }
    return { kind: 'fixed', ...readJwtKey(type, textOf(key, context)) };
  }
  const family = type?.slice(0, 2) as AlgorithmFamily | undefined;
  // Every reader of a key set could sign tokens with a secret in it.
  if (family === 'HS') throw new AuthenticationProblem(`has the type ${type} without its key`);
  if (jwkUrl !== undefined) return { kind: 'set', url: urlOf('jwk_url', jwkUrl, context), family };
  if (issuer !== undefined) return { kind: 'discovery', issuer, family };
  throw new AuthenticationProblem('has neither key nor jwk_url nor issuer');
}

function readLocation(header: RawJwt['header']): TokenLocation {
  const { type, name } = header ?? { type: 'Authorization' };
  if (type === 'Authorization') {
    if (name !== undefined) refuseBeside('the header type Authorization', { name });
    return { kind: 'authorization' };
  }
  if (name === undefined)
    throw new AuthenticationProblem(`has the header type ${type} without name`);
  if (type === 'Cookie') return { kind: 'cookie', name };
  const lower = name.toLowerCase();
  if (!['authorization', 'cookie'].includes(lower)) return { kind: 'header', name: lower };
  throw new AuthenticationProblem(`has the custom header ${name}, which has a type of its own`);
}
