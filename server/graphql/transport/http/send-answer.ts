import { pipeline } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import { readLimits } from '../../../http/connections/slow-readers.ts';
import { timeHeader } from './debug-headers.ts';

/** Characters of an answer that leave at once. */
const PIECE = 64 * 1024;

/**
 * Sends an answer. A large one leaves in pieces as the client takes them; a client that takes it too slowly is cut off,
 * since it would hold the memory for it.
 */
export function sendAnswer(response: Response, status: number, text: string): void {
  const time = timeHeader(response);
  if (time !== undefined) response.setHeader('x-rowgate-time', time);
  const bytes = Buffer.byteLength(text);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes,
    'x-content-type-options': 'nosniff',
  });
  if (text.length > PIECE) sendInPieces(response, text, bytes);
  // As a string, which leaves in one write with the head.
  else response.end(text);
}

/** Registers what is done once the client has taken the response, or has hung up. */
export function whenSent(response: Response): (done: () => void) => void {
  const waiting: (() => void)[] = [];
  response.once('close', () => {
    for (const done of waiting.splice(0)) done();
  });
  return (done) => {
    if (response.destroyed) done();
    else waiting.push(done);
  };
}

function sendInPieces(response: Response, text: string, bytes: number): void {
  const { graceMs, bytesPerMs } = readLimits;
  const timer = setTimeout(() => response.destroy(), graceMs + bytes / bytesPerMs);
  // The request log reports a client that has hung up.
  pipeline(piecesOf(text), response, () => clearTimeout(timer));
}

/** Between two pieces others have their turn, since the system takes megabytes at once for a client that reads. */
async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  let start = 0;
  while (start < text.length) {
    const end = start + PIECE;
    // Both halves of a character outside the basic plane stay together.
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
