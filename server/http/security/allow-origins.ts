import cors from 'cors';
import type { FirstStep } from '../first-step.ts';

const preflightSeconds = 600;

/**
 * Makes the step for CORS. Only web applications of these origins may call from a browser and send cookies. Without
 * origins, no answer has a CORS header.
 * @param headers headers that pages may send besides the usual ones, such as the header of the role
 */
export function allowOrigins(origins: ReadonlySet<string>, headers: readonly string[]): FirstStep {
  if (origins.size === 0) return (_request, _response, _path, next) => next();
  const allow = cors({
    origin: [...origins],
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    allowedHeaders: [
      ...['Authorization', 'Content-Type', 'X-Request-Id', ...headers],
      ...['If-None-Match', 'If-Modified-Since', 'If-Range', 'Range'],
    ],
    exposedHeaders: [
      ...['Retry-After', 'X-Request-Id', 'ETag'],
      ...['Content-Disposition', 'Content-Range', 'Accept-Ranges'],
    ],
    maxAge: preflightSeconds,
  });
  return (request, response, _path, next) => {
    // The answer depends on the origin. Without `Vary`, a cache could serve the answer for one origin to a page of
    // another.
    response.setHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.has(origin)) return next();
    allow(request, response, next);
  };
}
