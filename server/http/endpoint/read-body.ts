import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { Refusal } from '../answers/problem.ts';
import { boundUnfinished } from './bound-unfinished.ts';

/** Steps that read a body of JSON into `request.body`. They throw Refusal: 400, 413, 415. */
export function readJson(mostBytes: number): readonly (RequestHandler | ErrorRequestHandler)[] {
  const parse = express.json({ limit: mostBytes, strict: false, type: jsonTypes });
  return [requireJson, boundUnfinished(mostBytes), parse, refusalOf(mostBytes)];
}

/**
 * Steps that read a body of JSON into `request.body` as the bytes that came, unparsed; none where there is no body.
 * They throw Refusal: 400 where it is cut off, 413, 415.
 */
export function readRaw(mostBytes: number): readonly (RequestHandler | ErrorRequestHandler)[] {
  // What was signed is what came: nothing is unpacked.
  const read = express.raw({ limit: mostBytes, type: jsonTypes, inflate: false });
  return [requireJson, requirePlain, boundUnfinished(mostBytes), read, refusalOf(mostBytes)];
}

const jsonTypes = ['application/json', 'application/*+json'];

// A form of another site can send anything but this content type without asking first.
const requireJson: RequestHandler = (request, _response, next) => {
  // Null stands for no body at all, which the endpoint's schema tells of.
  if (request.is(jsonTypes) !== false) return next();
  throw unsupported('the content type must be application/json');
};

const requirePlain: RequestHandler = (request, _response, next) => {
  if (saysOtherCharset(request)) throw unsupported('the body must be in UTF-8');
  if ((request.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw unsupported('the body must come as it is, without a content encoding');
  }
  next();
};

/** Whether the content type of a body names another charset than UTF-8. */
export function saysOtherCharset(request: Request): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.get('content-type') ?? '')?.[1];
  return charset !== undefined && !/^utf-?8$/i.test(charset);
}

function refusalOf(mostBytes: number): ErrorRequestHandler {
  return (error: unknown, _request, _response, next) => {
    next(told(error as { readonly type?: unknown }, mostBytes) ?? error);
  };
}

function told({ type }: { readonly type?: unknown }, mostBytes: number): Refusal | undefined {
  switch (type) {
    case 'entity.parse.failed':
      return unreadable('the body is not valid JSON');
    case 'entity.too.large': {
      const detail = `the body is larger than ${mostBytes} bytes`;
      return new Refusal({ status: 413, code: 'body-too-large', detail });
    }
    case 'charset.unsupported':
      return unsupported('the body must be in UTF-8');
    case 'encoding.unsupported':
      return unsupported('the content encoding is not supported; there are gzip, deflate and br');
    case 'request.aborted':
    case 'request.size.invalid':
      return unreadable('the body is not as long as its header says');
    default:
      return undefined;
  }
}

function unreadable(detail: string): Refusal {
  return new Refusal({ status: 400, code: 'bad-request', detail });
}

function unsupported(detail: string): Refusal {
  return new Refusal({ status: 415, code: 'unsupported-media-type', detail });
}
