import type { IncomingMessage } from 'node:http';

const mebibyte = 1024 * 1024;
/** The number of bodies of the maximum size that may arrive at the same time. */
const largestBodies = 16;

/**
 * Makes middleware that limits the memory of all request bodies that have not arrived completely. Above the limit, it
 * closes the oldest of these requests: one of a slow sender rather than one that arrives at normal speed.
 * @param bodyBytes maximum size of one body; a compressed body counts as this size, because it is unpacked on arrival
 * @param maxBytes maximum bytes of all incomplete bodies together
 */
export function boundUnfinished(
  bodyBytes: number,
  maxBytes = Math.max(64 * mebibyte, largestBodies * bodyBytes),
): (request: IncomingMessage, response: unknown, next: () => void) => void {
  // A Map keeps insertion order, so the oldest request comes first.
  const arriving = new Map<IncomingMessage, number>();
  let total = 0;
  const forget = (request: IncomingMessage) => {
    total -= arriving.get(request) ?? 0;
    arriving.delete(request);
  };
  const count = (request: IncomingMessage, bytes: number) => {
    const before = arriving.get(request);
    if (before === undefined) return;
    arriving.set(request, before + bytes);
    total += bytes;
    if (total <= maxBytes) return;
    const [oldest] = arriving.keys();
    if (!oldest) return;
    forget(oldest);
    oldest.destroy();
  };
  return (request, _response, next) => {
    if (request.complete) return next();
    arriving.set(request, 0);
    for (const end of ['end', 'close']) request.once(end, () => forget(request));
    if (isPlain(request)) request.on('data', ({ length }: Buffer) => count(request, length));
    else count(request, bodyBytes);
    next();
  };
}

/** Whether a body arrives without a compression. */
export function isPlain({ headers }: IncomingMessage): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
}
