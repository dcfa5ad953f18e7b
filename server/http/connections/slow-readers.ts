import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The minimum speed at which a client must read its answers. */
export interface ReadLimits {
  /** Milliseconds that a client may read nothing. */
  readonly graceMs: number;
  /** Minimum bytes per millisecond at which a client must read a complete answer. */
  readonly bytesPerMs: number;
}

/** The time between two looks for unread answers. */
const LOOK_MS = 1000;

/** The limits for HTTP and WebSockets. */
export const readLimits: ReadLimits = { graceMs: 30_000, bytesPerMs: 32 };

/** Closes connections of clients that read their answers too slowly, because unread answers stay in memory. */
export function cutSlowReaders(server: Server, limits: ReadLimits = readLimits): void {
  /** The latest answer of each connection. */
  const latest = new Map<Socket, ServerResponse>();
  const limited = new WeakSet<ServerResponse>();
  const limit = (response: ServerResponse) => {
    if (limited.has(response)) return;
    limited.add(response);
    limitReading(response, limits);
  };
  server.on('request', ({ socket }, response) => {
    const earlier = latest.get(socket);
    // The client has sent this request before it has read the answer to an earlier one.
    if (earlier && !hasEnded(earlier)) {
      limit(earlier);
      limit(response);
    }
    latest.set(socket, response);
  });
  // Most clients read an answer at once, so timers for each answer would be wasted. Only those answers are limited of
  // which a part is unread when this timer fires.
  const looking = setInterval(
    () => {
      for (const [socket, response] of latest) {
        if (hasEnded(response)) latest.delete(socket);
        else if (response.writableLength > 0) limit(response);
      }
    },
    Math.min(LOOK_MS, limits.graceMs),
  );
  looking.unref();
  server.once('close', () => clearInterval(looking));
}

function hasEnded(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed;
}

function limitReading(response: ServerResponse, { graceMs, bytesPerMs }: ReadLimits): void {
  // Fires after this time without a byte in either direction. A running handler has no unread bytes and is not affected.
  response.setTimeout(graceMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
  // A client that reads a few bytes from time to time resets the timeout above, so the whole answer also has a
  // deadline.
  const limitWhole = () => {
    const bytes = response.writableLength;
    if (bytes === 0) return;
    const timer = setTimeout(() => response.destroy(), graceMs + bytes / bytesPerMs).unref();
    response.once('close', () => clearTimeout(timer));
  };
  if (response.writableEnded) limitWhole();
  else response.once('prefinish', limitWhole);
}
