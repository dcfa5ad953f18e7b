import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { Refusal } from '../answers/problem.ts';
import type { Endpoint } from './define-endpoint.ts';
import { readJson, readRaw } from './read-body.ts';

type BodySteps = readonly (RequestHandler | ErrorRequestHandler)[];

/**
 * Makes a router for the endpoints. Answers 405 with `Allow` for a known path with another method.
 * @param bodyBytes maximum size of JSON bodies
 */
export function mountEndpoints(endpoints: readonly Endpoint[], bodyBytes: number): Router {
  const router = express.Router();
  const readBody = readJson(bodyBytes);
  const readingOf = ({ body, rawBytes }: Endpoint): BodySteps => {
    if (rawBytes !== undefined) return readRaw(rawBytes);
    return body ? readBody : [];
  };
  for (const endpoint of endpoints) {
    const { method, path, admission, handler, onError } = endpoint;
    const observing = onError ? [observe(onError)] : [];
    router[method](expressPath(path), admission, ...readingOf(endpoint), handler, ...observing);
  }
  for (const [path, methods] of methodsByPath(endpoints)) {
    router.all(expressPath(path), answerOthers(methods));
  }
  return router;
}

function observe(onError: NonNullable<Endpoint['onError']>): ErrorRequestHandler {
  return (error, request, _response, next) => {
    onError(error, request);
    next(error);
  };
}

/** Converts an OpenAPI path such as `/invoices/{invoiceId}` into Express's syntax `/invoices/:invoiceId`. */
function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodsByPath(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(endpoints, ({ path }) => path);
  return new Map([...groups].map(([path, group]) => [path, group.map((one) => one.method)]));
}

function answerOthers(methods: readonly string[]): RequestHandler {
  const allow = [...methods, ...(methods.includes('get') ? ['head'] : []), 'options']
    .map((method) => method.toUpperCase())
    .join(', ');
  return ({ method }, response) => {
    if (method === 'OPTIONS') return void response.status(204).set('Allow', allow).end();
    const detail = `${method} is not allowed here, but ${allow}`;
    const headers = { Allow: allow };
    throw new Refusal({ status: 405, code: 'method-not-allowed', detail, headers });
  };
}
