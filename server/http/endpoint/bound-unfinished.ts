import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

const mebibyte = 1024 * 1024;
/** The number of bodies of the maximum size that may arrive at the same time. */
const largestBodies = 16;

/** A request whose body arrives. */
type Arriving = Pick<IncomingMessage, 'destroy'>;

/**
 * Limits the memory of all request bodies that have not arrived completely. Above the limit, it closes the oldest of these
 * requests: one of a slow sender rather than one that arrives at normal speed.
 */
export class UnfinishedBodies {
  readonly #bodyBytes: number;
  readonly #maxBytes: number;
  // A Map keeps insertion order, so the oldest request comes first.
  readonly #arriving = new Map<Arriving, number>();
  #total = 0;

  /**
   * @param bodyBytes maximum size of one body
   * @param maxBytes maximum bytes of all incomplete bodies together
   */
  constructor(bodyBytes: number, maxBytes = Math.max(64 * mebibyte, largestBodies * bodyBytes)) {
    this.#bodyBytes = bodyBytes;
    this.#maxBytes = maxBytes;
  }

  begin(request: Arriving): void {
    this.#arriving.set(request, 0);
  }

  /** Counts bytes of a body that has begun and not ended. */
  count(request: Arriving, bytes: number): void {
    const before = this.#arriving.get(request);
    if (before === undefined) return;
    // The reader of a body that is too large discards it, so the body takes no more memory from others.
    if (before + bytes > this.#bodyBytes) {
      this.end(request);
      return;
    }
    this.#arriving.set(request, before + bytes);
    this.#total += bytes;
    if (this.#total <= this.#maxBytes) return;
    const [oldest] = this.#arriving.keys();
    if (!oldest) return;
    this.end(oldest);
    oldest.destroy();
  }

  end(request: Arriving): void {
    this.#total -= this.#arriving.get(request) ?? 0;
    this.#arriving.delete(request);
  }
}

/**
 * Makes middleware that limits the memory of all incomplete bodies. A compressed body counts as the maximum size, because
 * it is unpacked on arrival.
 */
export function boundUnfinished(bodyBytes: number, maxBytes?: number): RequestHandler {
  const unfinished = new UnfinishedBodies(bodyBytes, maxBytes);
  return (request, _response, next) => {
    // A destroyed request emits no event that would end the watch.
    if (!request.complete && !request.destroyed) watch(request, unfinished, bodyBytes);
    next();
  };
}

/** Counts the body of a request that other code reads. */
export function watch(
  request: IncomingMessage,
  unfinished: UnfinishedBodies,
  bodyBytes: number,
): void {
  unfinished.begin(request);
  for (const end of ['end', 'close']) request.once(end, () => unfinished.end(request));
  if (!isPlain(request)) unfinished.count(request, bodyBytes);
  else request.on('data', ({ length }: Buffer) => unfinished.count(request, length));
}

/** Whether a body arrives without a compression. */
export function isPlain({ headers }: IncomingMessage): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
}
