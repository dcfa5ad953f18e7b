import { credentialHeaders } from '../config/authentication/authentication-config.ts';
import type { Config } from '../config/config.ts';
import type { FirstStep } from './first-step.ts';
import { assignRequestId } from './request-id.ts';
import { allowOrigins } from './security/allow-origins.ts';
import { securityHeaders } from './security/security-headers.ts';

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
