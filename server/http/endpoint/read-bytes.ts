import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request } from 'express';
import { boundUnfinished, isPlain } from './bound-unfinished.ts';

/** Reads the body of a request; undefined when the request has none. Rejects like Express's body parsers. */
export type BodyReader = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<Buffer | undefined>;

/**
 * Makes a function that reads bodies of all content types, and unpacks compressed bodies.
 * @param maxBytes maximum size of one body
 */
export function makeBodyReader(maxBytes: number): BodyReader {
  const bound = boundUnfinished(maxBytes);
  const unpack = express.raw({ type: () => true, limit: maxBytes });
  return (request, response) =>
    new Promise((resolve, reject) => {
      if (!hasBody(request)) return resolve(undefined);
      bound(request, response, () => {
        if (isPlain(request)) return readPlain(request, maxBytes, resolve, reject);
        unpack(request, response, (error: unknown) => {
          if (error) reject(error);
          else resolve((request as Request).body);
        });
      });
    });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** A body that cannot be read, described as Express's body parsers describe it. */
class BodyError extends Error {
  readonly type: 'entity.too.large' | 'request.aborted';
  readonly status = 400;

  constructor(type: BodyError['type']) {
    super(type);
    this.type = type;
  }
}

/** The body is read to its end even if it is too large, because most clients read the answer only afterwards. */
function readPlain(
  request: IncomingMessage,
  maxBytes: number,
  resolve: (body: Buffer) => void,
  reject: (error: BodyError) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  });
  request.once('end', () => {
    if (bytes > maxBytes) return reject(new BodyError('entity.too.large'));
    const [first] = chunks;
    resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks));
  });
  // Has no effect after the end of the body.
  request.once('close', () => reject(new BodyError('request.aborted')));
}
