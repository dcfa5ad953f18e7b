import type { IncomingMessage } from 'node:http';
import helmet from 'helmet';
import type { FirstStep } from '../first-step.ts';

/**
 * Answers of these paths have no security headers, to keep the most frequent answer small. They are JSON, which
 * browsers do not render, and already have `X-Content-Type-Options: nosniff`.
 */
const pathsWithout = new Set(['/v1/graphql', '/v1alpha1/graphql', '/graphql']);

/** Returns true for requests whose answers have no security headers. */
export function isWithoutSecurityHeaders(
  { method }: Pick<IncomingMessage, 'method'>,
  path: string,
): boolean {
  return method === 'POST' && pathsWithout.has(path);
}

/** Makes the step that sets security headers for browsers. Endpoints of pages replace the Content-Security-Policy. */
export function securityHeaders(baseUrl: string): FirstStep {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    xFrameOptions: { action: 'deny' },
    // HSTS covers this host only, because its subdomains may belong to other services.
    strictTransportSecurity: baseUrl.startsWith('https:') && {
      maxAge: 31_536_000,
      includeSubDomains: false,
    },
  });
  return (request, response, path, next) => {
    if (isWithoutSecurityHeaders(request, path)) return next();
    protect(request, response, next);
  };
}
