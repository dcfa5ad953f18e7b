import express, { type Request, type RequestHandler, type Router } from 'express';
import type { Endpoint } from './endpoint.ts';
import { Refusal } from './problem.ts';

/** Routes of the endpoints; another method of a path that is there is told which ones are (405). */
export function mountEndpoints(endpoints: readonly Endpoint[], bodyBytes: number): Router {
  const router = express.Router();
  const readBody = [requireJson, express.json({ limit: bodyBytes, strict: false })];
  for (const { method, path, body, handler } of endpoints) {
    router[method](expressPath(path), ...(body ? readBody : []), handler);
  }
  for (const [path, methods] of methodsByPath(endpoints)) {
    const allow = [...methods, ...(methods.includes('get') ? ['head'] : [])]
      .map((method) => method.toUpperCase())
      .join(', ');
    router.all(expressPath(path), (request: Request) => {
      const detail = `${request.method} is not allowed here, but ${allow}`;
      throw new Refusal({
        status: 405,
        code: 'method-not-allowed',
        detail,
        headers: { Allow: allow },
      });
    });
  }
  return router;
}

/** `/invoices/{invoiceId}` as Express writes it. */
function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodsByPath(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(endpoints, ({ path }) => path);
  return new Map([...groups].map(([path, group]) => [path, group.map((one) => one.method)]));
}

// A form of another site can send anything but this content type without asking first.
const requireJson: RequestHandler = (request, _response, next) => {
  if (request.is(['application/json', 'application/*+json'])) return next();
  const detail = 'the content type must be application/json';
  throw new Refusal({ status: 415, code: 'unsupported-media-type', detail });
};
