import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * The answer that is sent most often, by far, is left as small as it can be. It is JSON that no page shows, and says
 * `nosniff` itself.
 */
const bare = new Set(['/v1/graphql', '/v1alpha1/graphql', '/graphql']);

/** Headers that keep browsers from doing with an answer what nobody meant. Pages set a content policy of their own. */
export function securityHeaders(baseUrl: string): RequestHandler {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    xFrameOptions: { action: 'deny' },
    // A promise about the one host that is ours, and only where it speaks TLS.
    strictTransportSecurity: baseUrl.startsWith('https:') && {
      maxAge: 31_536_000,
      includeSubDomains: false,
    },
  });
  return (request, response, next) => {
    if (request.method === 'POST' && bare.has(request.path)) return next();
    protect(request, response, next);
  };
}
