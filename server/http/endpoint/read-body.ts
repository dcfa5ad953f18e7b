import type { IncomingMessage } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { Refusal } from '../answers/problem.ts';
import { boundUnfinished } from './bound-unfinished.ts';

/** Makes middleware that parses a JSON body into `request.body`. It throws Refusal 400, 413 or 415. */
export function readJson(maxBytes: number): readonly (RequestHandler | ErrorRequestHandler)[] {
  const parse = express.json({ limit: maxBytes, strict: false, type: jsonTypes });
  return [requireJson, boundUnfinished(maxBytes), parse, refuseUnreadable(maxBytes)];
}

/**
 * Makes middleware that reads a JSON body, if the request has one, into `request.body` as unparsed bytes. It throws
 * Refusal 400 for an incomplete body, 413 or 415.
 */
export function readRaw(maxBytes: number): readonly (RequestHandler | ErrorRequestHandler)[] {
  // The caller signed the bytes as sent, so they must not be unpacked.
  const read = express.raw({ limit: maxBytes, type: jsonTypes, inflate: false });
  return [requireJson, requirePlain, boundUnfinished(maxBytes), read, refuseUnreadable(maxBytes)];
}

const jsonTypes = ['application/json', 'application/*+json'];

// Protects against CSRF: an HTML form of another site cannot send this content type without a CORS preflight request.
const requireJson: RequestHandler = (request, _response, next) => {
  // `request.is` returns null for a request without a body. The validation of the endpoint reports a missing body.
  if (request.is(jsonTypes) !== false || isEmpty(request)) return next();
  throw unsupported('the content type must be application/json');
};

/** A form names a type even if it has no fields. */
function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['content-length'] === '0' && headers['content-type'] === undefined;
}

const requirePlain: RequestHandler = (request, _response, next) => {
  if (hasOtherCharset(request)) throw unsupported('the body must be in UTF-8');
  if ((request.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw unsupported('the body must come as it is, without a content encoding');
  }
  next();
};

/** Whether the body of a request has a JSON type. */
export function isJson(request: IncomingMessage): boolean {
  // Express's check parses the type, which the most frequent type does not need.
  if (request.headers['content-type'] === 'application/json') return true;
  return Boolean(express.request.is.call(request, jsonTypes));
}

/** Returns true when the content type of a body names a charset other than UTF-8. */
export function hasOtherCharset({ headers }: IncomingMessage): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1];
  return charset !== undefined && !/^utf-?8$/i.test(charset);
}

function refuseUnreadable(maxBytes: number): ErrorRequestHandler {
  return (error: unknown, _request, _response, next) => {
    next(toRefusal(error as { readonly type?: unknown }, maxBytes) ?? error);
  };
}

/** Converts an error of Express's body parsers by its `type`. */
function toRefusal({ type }: { readonly type?: unknown }, maxBytes: number): Refusal | undefined {
  switch (type) {
    case 'entity.parse.failed':
      return unreadable('the body is not valid JSON');
    case 'entity.too.large': {
      const detail = `the body is larger than ${maxBytes} bytes`;
      return new Refusal({ status: 413, code: 'body-too-large', detail });
    }
    case 'charset.unsupported':
      return unsupported('the body must be in UTF-8');
    case 'encoding.unsupported':
      return unsupported('the content encoding is not supported; use gzip, deflate or br');
    case 'request.aborted':
    case 'request.size.invalid':
      return unreadable('the length of the body differs from its Content-Length');
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
