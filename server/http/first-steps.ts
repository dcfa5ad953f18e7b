import type { IncomingMessage } from 'node:http';
import { credentialHeaders } from '../config/authentication/authentication-config.ts';
import type { Config } from '../config/config.ts';
import type { WithAnswerHeaders } from './answers/write-head.ts';
import type { FirstStep } from './first-step.ts';
import { assignRequestId, identify, requestIdHeader } from './request-id.ts';
import { allowOrigins } from './security/allow-origins.ts';
import { isWithoutSecurityHeaders, securityHeaders } from './security/security-headers.ts';

/**
 * Prepares the answer to a frequent request: one that gets the request id and no header for browsers. Returns false, and
 * does nothing, for all other requests.
 */
export type QuickStep = (request: IncomingMessage & WithAnswerHeaders, path: string) => boolean;

/** Makes the short form of the first steps, with the same effects. */
export function makeQuickStep({ callers: { appOrigins } }: Pick<Config, 'callers'>): QuickStep {
  const forOrigins = appOrigins.size > 0 ? ['Vary', 'Origin'] : [];
  return (request, path) => {
    const isFromPage = appOrigins.size > 0 && request.headers.origin !== undefined;
    if (isFromPage || !isWithoutSecurityHeaders(request, path)) return false;
    request.answerHeaders = [requestIdHeader, identify(request), ...forOrigins];
    return true;
  };
}

/** Makes the first steps of all requests: request id, security headers, and CORS, which answers preflight requests. */
export function makeFirstSteps({
  baseUrl,
  headerPrefix,
  callers: { appOrigins, authentication },
}: Pick<Config, 'baseUrl' | 'headerPrefix' | 'callers'>): FirstStep {
  const protect = securityHeaders(baseUrl);
  const headers = [`${headerPrefix}Role`, ...credentialHeaders(authentication)];
  const allow = allowOrigins(appOrigins, headers);
  return (request, response, path, next) => {
    assignRequestId(request, response);
    protect(request, response, path, () => allow(request, response, path, next));
  };
}
