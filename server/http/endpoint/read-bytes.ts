import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request } from 'express';
import { isPlain, UnfinishedBodies, watch } from './bound-unfinished.ts';

/** Reads the body of a request; undefined when the request has none. Rejects with BodyError. */
export type BodyReader = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<Buffer | undefined>;

/** A body that cannot be read. */
export class BodyError extends Error {
  readonly problem: 'too-large' | 'unknown-encoding' | 'unreadable';

  constructor(problem: BodyError['problem'], cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/**
 * Makes a function that reads bodies of all content types, and unpacks compressed bodies.
 * @param maxBytes maximum size of one body
 */
export function makeBodyReader(maxBytes: number, maxUnfinishedBytes?: number): BodyReader {
  const unfinished = new UnfinishedBodies(maxBytes, maxUnfinishedBytes);
  const unpack = express.raw({ type: () => true, limit: maxBytes });
  return (request, response) => {
    if (!hasBody(request)) return Promise.resolve(undefined);
    // The client may have disconnected while its session was read. A destroyed request emits no further events.
    if (request.destroyed) return Promise.reject(new BodyError('unreadable'));
    if (isPlain(request)) return readPlain(request, maxBytes, unfinished);
    watch(request, unfinished, maxBytes);
    return new Promise((resolve, reject) => {
      unpack(request, response, (error: unknown) => {
        if (error) reject(toBodyError(error));
        else resolve((request as Request).body);
      });
    });
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Converts an error of Express's body parser. Other errors stay unchanged. */
function toBodyError(error: unknown): unknown {
  const { type, status } = error as { readonly type?: unknown; readonly status?: unknown };
  if (type === 'entity.too.large') return new BodyError('too-large', error);
  if (type === 'encoding.unsupported') return new BodyError('unknown-encoding', error);
  return status === 400 ? new BodyError('unreadable', error) : error;
}

/** The body is read to its end even if it is too large, because most clients read the answer only afterwards. */
function readPlain(
  request: IncomingMessage,
  maxBytes: number,
  unfinished: UnfinishedBodies,
): Promise<Buffer> {
  const length = Number(request.headers['content-length']);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isCounted = false;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      // Most bodies arrive at once, and need no memory while they are incomplete.
      if (!isCounted && bytes !== length) {
        isCounted = true;
        unfinished.begin(request);
      }
      if (isCounted) unfinished.count(request, chunk.length);
      if (bytes <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => {
      if (isCounted) unfinished.end(request);
      const [first] = chunks;
      if (bytes > maxBytes) reject(new BodyError('too-large'));
      else resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
    request.on('close', () => {
      if (isCounted) unfinished.end(request);
      if (!request.readableEnded) reject(new BodyError('unreadable'));
    });
  });
}
