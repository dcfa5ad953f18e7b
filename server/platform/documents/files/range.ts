import type { Request, Response } from 'express';
import { Refusal } from '../../../http/problem.ts';
import type { ByteRange } from '../../../storage/storage.ts';

/** `bytes=0-99`, `bytes=100-` or `bytes=-100`; several parts are none of these. */
const onePart = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;

/**
 * Which part of a file is asked for; undefined for the whole, also where several parts are, or one of another version,
 * or nothing but the head.
 * @param response has ETag and Last-Modified
 * @throws Refusal 416
 */
export function rangeOf(
  request: Request,
  response: Response,
  { size }: { readonly size: number },
): ByteRange | undefined {
  const parts = onePart.exec(request.get('range') ?? '');
  if (!parts || request.method !== 'GET') return undefined;
  if (!isSameVersion(request.get('if-range'), response)) return undefined;
  const [, first, last, suffix] = parts;
  const start = suffix === undefined ? Number(first) : Math.max(0, size - Number(suffix));
  const end = last ? Number(last) : size - 1;
  if (last && end < start) return undefined;
  if (start < size) return { start, end: Math.min(end, size - 1) };
  const headers = { 'Content-Range': `bytes */${size}` };
  const detail = `the file has ${size} bytes`;
  throw new Refusal({ status: 416, code: 'range-not-satisfiable', detail, headers });
}

function isSameVersion(wanted: string | undefined, response: Response): boolean {
  if (wanted === undefined) return true;
  return wanted === response.get('ETag') || wanted === response.get('Last-Modified');
}
