import type pino from 'pino';
import type { CallerRequest } from '../../../caller/caller-request.ts';
import { TokenError } from '../../../caller/jwt/token-error.ts';
import { unavailable } from '../../../http/answers/unavailable.ts';
import type { TokenVerifier, VerifiedToken } from '../tokens/verify/verified-token.ts';
import { invalidToken } from './sign-in-refusals.ts';

/**
 * Reads the token of the Authorization header; undefined when there is no header.
 * @throws Refusal 401 when the header has another scheme or no token, or is sent twice
 */
export function bearerToken(request: CallerRequest): string | undefined {
  const [header, another] = request.headersDistinct.authorization ?? [];
  if (header === undefined) return undefined;
  const [, token] = another === undefined ? (/^bearer +([^\s,]+) *$/i.exec(header) ?? []) : [];
  if (token === undefined) {
    throw invalidToken('the header Authorization must be sent once, as: Bearer <token>');
  }
  return token;
}

export interface TokenCheck {
  readonly verifier: TokenVerifier;
  readonly logger: pino.Logger;
}

/**
 * Verifies a token. The reason of a refusal is only logged.
 * @throws Refusal 401; 503 when the provider's keys cannot be fetched
 */
export async function verifyBearer(
  request: CallerRequest,
  token: string,
  { verifier, logger }: TokenCheck,
): Promise<VerifiedToken> {
  try {
    return await verifier.verify(token);
  } catch (error) {
    if (!(error instanceof TokenError)) throw unavailable(error, logger);
    const { reason } = error;
    logger.info({ reason, requestId: request.requestId }, 'a token was refused');
    if (reason === 'provider-unreachable') throw unavailable(error, logger);
    throw invalidToken(
      reason === 'expired' ? 'the token has expired' : 'the token is not valid here',
    );
  }
}
