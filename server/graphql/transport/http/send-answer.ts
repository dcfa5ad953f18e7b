import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { writeHead } from '../../../http/answers/write-head.ts';
import { readLimits } from '../../../http/connections/slow-readers.ts';
import { type AnswerText, EncodedJson } from '../../answer-text.ts';
import { timeHeader } from './debug-headers.ts';

/** Number of characters of an answer that are written at once. */
const PIECE = 64 * 1024;

/**
 * Sends an answer. A large answer is written in pieces, at the speed of the client. A client that reads too slowly is
 * disconnected, because the unread answer stays in memory.
 */
export function sendAnswer(response: ServerResponse, status: number, text: AnswerText): void {
  const time = timeHeader(response);
  if (time !== undefined) response.setHeader('x-rowgate-time', time);
  const isEncoded = text instanceof EncodedJson;
  const body = isEncoded ? text.bytes : text;
  // Each character of encoded JSON is one byte, as in latin1.
  const encoding = isEncoded ? 'latin1' : 'utf8';
  const bytes = isEncoded ? body.length : Buffer.byteLength(body);
  writeHead(response, status, [
    ...['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(bytes)],
    ...['X-Content-Type-Options', 'nosniff'],
  ]);
  if (body.length > PIECE) sendInPieces(response, { body, encoding, bytes });
  // A small answer is written as one string, because Node then sends it in the same packet as the headers.
  else response.end(body, encoding);
}

/** Returns a function that registers a callback for when the client has received the response or has disconnected. */
export function whenSent(response: ServerResponse): (done: () => void) => void {
  // One listener for all operations of a batch, because Node warns of a leak above ten.
  const waiting: (() => void)[] = [];
  return (done) => {
    if (response.destroyed) done();
    else if (waiting.push(done) === 1) {
      response.on('close', () => {
        for (const one of waiting) one();
      });
    }
  };
}

interface Body {
  readonly body: string;
  readonly encoding: BufferEncoding;
  readonly bytes: number;
}

function sendInPieces(response: ServerResponse, { body, encoding, bytes }: Body): void {
  const { graceMs, bytesPerMs } = readLimits;
  const timer = setTimeout(() => response.destroy(), graceMs + bytes / bytesPerMs);
  // The request log reports a client that has disconnected.
  pipeline(piecesOf(body, encoding), response, () => clearTimeout(timer));
}

/**
 * Yields to other requests between pieces, because the kernel accepts megabytes at once for a client that reads fast.
 */
async function* piecesOf(text: string, encoding: BufferEncoding): AsyncGenerator<Buffer> {
  let start = 0;
  while (start < text.length) {
    const end = start + PIECE;
    // A surrogate pair must not be split between two pieces.
    const isInside = isHighSurrogate(text.charCodeAt(end - 1));
    const next = isInside ? end + 1 : end;
    yield Buffer.from(text.slice(start, next), encoding);
    start = next;
    await nextTurn();
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
