import type { Response } from 'express';
import { timeHeader } from './debug-headers.ts';

/** Answers up to this size leave at once, or lie in buffers of the system. */
const SMALL_BYTES = 64 * 1024;
/** How long a client may take nothing of an answer. */
const GRACE_MS = 30_000;
/** Bytes that even a slow client takes in a millisecond. */
export const MIN_BYTES_PER_MS = 32;

/** Sends an answer. A client that takes a large one too slowly is cut off, since it would hold the memory for it. */
export function sendAnswer(response: Response, status: number, text: string): void {
  const time = timeHeader(response);
  if (time !== undefined) response.setHeader('x-rowgate-time', time);
  const bytes = Buffer.byteLength(text);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes,
    'x-content-type-options': 'nosniff',
  });
  // As a string, which leaves in one write with the head.
  response.end(text);
  if (bytes > SMALL_BYTES) cutOffAfter(response, GRACE_MS + bytes / MIN_BYTES_PER_MS);
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

function cutOffAfter(response: Response, milliseconds: number): void {
  if (response.destroyed) return;
  const timer = setTimeout(() => response.destroy(), milliseconds);
  response.once('close', () => clearTimeout(timer));
}
