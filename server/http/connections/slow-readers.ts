import type { Server } from 'node:http';

/** The minimum speed at which a client must read its answers. */
export interface ReadLimits {
  /** Milliseconds that a client may read nothing. */
  readonly graceMs: number;
  /** Minimum bytes per millisecond at which a client must read a complete answer. */
  readonly bytesPerMs: number;
}

/** The limits for HTTP and WebSockets. */
export const readLimits: ReadLimits = { graceMs: 30_000, bytesPerMs: 32 };

/** Closes connections of clients that read their answers too slowly, because unread answers stay in memory. */
export function cutSlowReaders(
  server: Server,
  { graceMs, bytesPerMs }: ReadLimits = readLimits,
): void {
  server.on('request', (_request, response) => {
    // Fires after this time without a byte in either direction. A running handler has no unread bytes and is not affected.
    response.setTimeout(graceMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
    // A client that reads a few bytes from time to time resets the timeout above, so the whole answer also has a
    // deadline.
    response.once('prefinish', () => {
      const bytes = response.writableLength;
      if (bytes === 0) return;
      const timer = setTimeout(() => response.destroy(), graceMs + bytes / bytesPerMs).unref();
      response.once('close', () => clearTimeout(timer));
    });
  });
}
