import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { writeHead } from '../../../http/answers/write-head.ts';
import { readLimits } from '../../../http/connections/slow-readers.ts';
import { timeHeader } from './debug-headers.ts';

/** Number of characters of an answer that are written at once. */
const PIECE = 64 * 1024;

/**
 * Sends an answer. A large answer is written in pieces, at the speed of the client. A client that reads too slowly is
 * disconnected, because the unread answer stays in memory.
 */
export function sendAnswer(response: ServerResponse, status: number, text: string): void {
  const time = timeHeader(response);
  if (time !== undefined) response.setHeader('x-rowgate-time', time);
  const bytes = Buffer.byteLength(text);
  writeHead(response, status, [
    ...['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(bytes)],
    ...['X-Content-Type-Options', 'nosniff'],
  ]);
  if (text.length > PIECE) sendInPieces(response, text, bytes);
  // A small answer is written as one string, because Node then sends it in the same packet as the headers.
  else response.end(text);
}

/** Returns a function that registers a callback for when the client has received the response or has disconnected. */
export function whenSent(response: ServerResponse): (done: () => void) => void {
  return (done) => {
    if (response.destroyed) done();
    else response.on('close', done);
  };
}

function sendInPieces(response: ServerResponse, text: string, bytes: number): void {
  const { graceMs, bytesPerMs } = readLimits;
  const timer = setTimeout(() => response.destroy(), graceMs + bytes / bytesPerMs);
  // The request log reports a client that has disconnected.
  pipeline(piecesOf(text), response, () => clearTimeout(timer));
}

/**
 * Yields to other requests between pieces, because the kernel accepts megabytes at once for a client that reads fast.
 */
async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  let start = 0;
  while (start < text.length) {
    const end = start + PIECE;
    // A surrogate pair must not be split between two pieces.
    const isInside = isHighSurrogate(text.charCodeAt(end - 1));
    const next = isInside ? end + 1 : end;
    yield Buffer.from(text.slice(start, next));
    start = next;
    await nextTurn();
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
