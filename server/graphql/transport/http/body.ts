import { isUtf8 } from 'node:buffer';
import { type Json, parseJson } from '../../json.ts';
import { RequestError } from '../../request-error.ts';

/** What a body asks for; in a batch each element may be wrong by itself. */
export type Body =
  | { readonly kind: 'single'; readonly element: Json }
  | { readonly kind: 'batch'; readonly elements: readonly Json[] };

/** @throws RequestError for what is no JSON in UTF-8, or a batch that is too long */
export function parseBody(bytes: Buffer, maxBatch: number): Body {
  // Else other characters would stand, and be stored, for those that were meant.
  if (!isUtf8(bytes)) throw new RequestError('invalid-json', 'the request body is not in UTF-8');
  const json = parseJson(bytes.toString('utf8'), 'the request body');
  if (!Array.isArray(json)) return { kind: 'single', element: json };
  if (json.length === 0) throw new RequestError('parse-failed', 'the batch is empty');
  if (json.length > maxBatch) {
    throw new RequestError(
      'batch-limit-exceeded',
      `the batch holds ${json.length} operations, at most ${maxBatch} are allowed`,
    );
  }
  return { kind: 'batch', elements: json };
}
