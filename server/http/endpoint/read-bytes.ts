import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request } from 'express';
import { isPlain, UnfinishedBodies, watch } from './bound-unfinished.ts';

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
  const unfinished = new UnfinishedBodies(maxBytes);
  const unpack = express.raw({ type: () => true, limit: maxBytes });
  return async (request, response) => {
    if (!hasBody(request)) return undefined;
    if (isPlain(request)) return readPlain(request, maxBytes, unfinished);
    watch(request, unfinished, maxBytes);
    await new Promise<void>((resolve, reject) => {
      unpack(request, response, (error: unknown) => (error ? reject(error) : resolve()));
    });
    return (request as Request).body;
  };
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
  unfinished: UnfinishedBodies,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  unfinished.begin(request);
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      unfinished.count(request, chunk.length);
      if (bytes <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => {
      unfinished.end(request);
      const [first] = chunks;
      if (bytes > maxBytes) reject(new BodyError('entity.too.large'));
      else resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
    request.on('close', () => {
      unfinished.end(request);
      if (!request.readableEnded) reject(new BodyError('request.aborted'));
    });
  });
}
