import cors from 'cors';
import type { RequestHandler } from 'express';

const preflightSeconds = 600;

/**
 * Lets web applications of these origins, and no others, call from a browser and bring their visitor's cookie; without
 * any origin, answers are as if there were no such thing.
 * @param headerPrefix before the role's name in headers
 */
export function allowOrigins(origins: ReadonlySet<string>, headerPrefix: string): RequestHandler {
  if (origins.size === 0) return (_request, _response, next) => next();
  const allow = cors({
    origin: [...origins],
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    allowedHeaders: [
      ...['Authorization', 'Content-Type', 'X-Request-Id', `${headerPrefix}Role`],
      ...['If-None-Match', 'If-Modified-Since', 'If-Range', 'Range'],
    ],
    exposedHeaders: [
      ...['Retry-After', 'X-Request-Id', 'ETag'],
      ...['Content-Disposition', 'Content-Range', 'Accept-Ranges'],
    ],
    maxAge: preflightSeconds,
  });
  return (request, response, next) => {
    // Else a cache could hand one origin's answer to another.
    response.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.has(origin)) return next();
    allow(request, response, next);
  };
}
