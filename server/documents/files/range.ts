import type { Request, Response } from 'express';
import type { ByteRange } from '../../platform/storage/storage.ts';
import { Refusal } from '../../rest/problem.ts';

/**
 * Which part of a file is asked for; undefined for the whole, also where several parts are, or one of another version.
 * @param response has ETag and Last-Modified
 * @throws Refusal 416
 */
export function rangeOf(
  request: Request,
  response: Response,
  { size }: { readonly size: number },
): ByteRange | undefined {
  if (!isSameVersion(request.get('if-range'), response)) return undefined;
  const ranges = request.range(size);
  if (ranges === -1) {
    const headers = { 'Content-Range': `bytes */${size}` };
    const detail = `the file has ${size} bytes`;
    throw new Refusal({ status: 416, code: 'range-not-satisfiable', detail, headers });
  }
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes') return undefined;
  const [range, another] = ranges;
  return another === undefined ? range : undefined;
}

function isSameVersion(wanted: string | undefined, response: Response): boolean {
  if (wanted === undefined) return true;
  return wanted === response.get('ETag') || wanted === response.get('Last-Modified');
}
