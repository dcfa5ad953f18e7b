import type pino from 'pino';
import { TokenError } from '../../../../caller/jwt/token-error.ts';
import type { Purpose, PurposeTokens } from '../../purpose-tokens.ts';
import type { SigningKeys } from '../../signing/signing-keys.ts';
import { type Trust, verifyToken } from '../verify/verify-token.ts';
import { localKeySource } from './local-tokens.ts';

export interface PurposeTokensOptions {
  readonly keys: SigningKeys;
  /** The issuer of the tokens. */
  readonly baseUrl: string;
  readonly logger: pino.Logger;
}

/**
 * Opens the tokens of one purpose. They have a type and an audience that no other tokens have, so no other token is
 * accepted for this purpose.
 */
export function openPurposeTokens(
  { type, lifetimeSeconds }: Purpose,
  { keys, baseUrl, logger }: PurposeTokensOptions,
): PurposeTokens {
  const trust: Trust = {
    keys: localKeySource(keys),
    algorithms: ['RS256'],
    expectations: { issuer: baseUrl, audiences: [type], types: [type] },
  };
  return {
    issue: (claims) => keys.sign({ ...claims, iss: baseUrl, aud: type }, { type, lifetimeSeconds }),
    verify: async (token) => {
      try {
        return (await verifyToken(token, trust)).unverified.claims;
      } catch (error) {
        if (!(error instanceof TokenError)) throw error;
        logger.info({ reason: error.reason, purpose: type }, 'a token was refused');
        return undefined;
      }
    },
  };
}
