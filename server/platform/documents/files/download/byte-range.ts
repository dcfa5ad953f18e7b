import type { Request, Response } from 'express';
import rangeParser from 'range-parser';
import { Refusal } from '../../../../http/problem.ts';
import type { ByteRange } from '../../../../storage/storage.ts';

/**
 * The requested part of a file. Undefined means the whole file: also for several ranges, for another version
 * (If-Range), and for any method but GET.
 * @param response has ETag and Last-Modified
 * @throws Refusal 416
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
  // The library refuses a suffix longer than the file; RFC 9110 (14.1.2) asks for the whole file then.
  if (size > 0 && /=-0*[1-9]/.test(header)) return { start: 0, end: size - 1 };
  const headers = { 'Content-Range': `bytes */${size}` };
  const detail = `the file has ${size} bytes`;
  throw new Refusal({ status: 416, code: 'range-not-satisfiable', detail, headers });
}

/** Parsed for a file without an end, a range is unsatisfiable only where its last byte is before its first. */
function isSingleByteRange(header: string): boolean {
  return /^bytes=[\d-]+$/i.test(header) && typeof rangeParser(Infinity, header) !== 'number';
}

function isSameVersion(wanted: string | undefined, response: Response): boolean {
  if (wanted === undefined) return true;
  return wanted === response.get('ETag') || wanted === response.get('Last-Modified');
}
