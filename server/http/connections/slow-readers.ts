import type { Server } from 'node:http';

export interface TakingLimits {
  /** Milliseconds for which a client may take nothing of its answer. */
  readonly graceMs: number;
  /** Bytes that even a slow client takes in a millisecond, of an answer that waits as a whole. */
  readonly bytesPerMs: number;
}

/** What counts as slow, over HTTP and over sockets. */
export const takingLimits: TakingLimits = { graceMs: 30_000, bytesPerMs: 32 };

/** Ends connections whose clients do not take their answers: until they are taken, answers stay in memory. */
export function cutSlowReaders(
  server: Server,
  { graceMs, bytesPerMs }: TakingLimits = takingLimits,
): void {
  server.on('request', (_request, response) => {
    // The time of a connection without a byte in either direction; a handler that is at work has nothing waiting.
    response.setTimeout(graceMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
    // A client that takes a little from time to time has no such time.
    response.once('prefinish', () => {
      const bytes = response.writableLength;
      if (bytes === 0) return;
      const timer = setTimeout(() => response.destroy(), graceMs + bytes / bytesPerMs).unref();
      response.once('close', () => clearTimeout(timer));
    });
  });
}
