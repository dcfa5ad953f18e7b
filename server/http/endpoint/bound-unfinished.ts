import type { Request, RequestHandler } from 'express';

const mebibyte = 1024 * 1024;
/** Bodies of the largest size that may arrive at the same time. */
const largestBodies = 16;

/**
 * A step before a body is read into memory: bounds the bytes of all bodies whose end has not come. Above the bound the
 * request that has been arriving longest is cut off: whoever sends a body as fast as others do is not that one.
 * @param bodyBytes largest body; one that is compressed counts as this much, since it is unpacked while it arrives
 */
export function boundUnfinished(
  bodyBytes: number,
  most = Math.max(64 * mebibyte, largestBodies * bodyBytes),
): RequestHandler {
  // A Map keeps its order: the oldest comes first.
  const arriving = new Map<Request, number>();
  let total = 0;
  const forget = (request: Request) => {
    total -= arriving.get(request) ?? 0;
    arriving.delete(request);
  };
  const count = (request: Request, bytes: number) => {
    const before = arriving.get(request);
    if (before === undefined) return;
    arriving.set(request, before + bytes);
    total += bytes;
    if (total <= most) return;
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

function isPlain({ headers }: Request): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
}
