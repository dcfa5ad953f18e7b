import type { Request, Response } from 'express';
import rangeParser from 'range-parser';
import { Refusal } from '../../../../http/answers/problem.ts';
import type { ByteRange } from '../../../../storage/storage.ts';

/**
 * Returns the requested part of a file. Undefined means the whole file, which is also sent for several ranges, for an
 * If-Range of another version, and for methods other than GET.
 * @param response must have ETag and Last-Modified
 * @throws Refusal 416 for a range outside the file
 */
export function rangeOf(
  request: Request,
  response: Response,
  { size }: { readonly size: number },
): ByteRange | undefined {
  const header = request.get('range') ?? '';
  if (request.method !== 'GET' || !isSingleByteRange(header)) return undefined;
  if (!isSameVersion(request.get('if-range'), response)) return undefined;
  const ranges = rangeParser(size, header);
  if (typeof ranges !== 'number') return ranges[0];
  // The library refuses a suffix that is longer than the file. RFC 9110 (14.1.2) requires the whole file.
  if (size > 0 && /=-0*[1-9]/.test(header)) return { start: 0, end: size - 1 };
  const headers = { 'Content-Range': `bytes */${size}` };
  const detail = `the file has ${size} bytes`;
  throw new Refusal({ status: 416, code: 'range-not-satisfiable', detail, headers });
}

/** Returns true for one valid range. For an infinite file, only a range whose last byte is before its first is invalid. */
function isSingleByteRange(header: string): boolean {
  return /^bytes=[\d-]+$/i.test(header) && typeof rangeParser(Infinity, header) !== 'number';
}

function isSameVersion(requested: string | undefined, response: Response): boolean {
  if (requested === undefined) return true;
  return requested === response.get('ETag') || requested === response.get('Last-Modified');
}
