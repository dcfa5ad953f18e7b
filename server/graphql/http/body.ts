import { isJsonObject, type Json, parseJson } from '../json.ts';
import { RequestError } from '../request-error.ts';
import type { GraphqlRequest } from '../run/role-engine.ts';

/** What a body asks for; in a batch each element may be wrong by itself. */
export type Body =
  | { readonly kind: 'single'; readonly element: Json }
  | { readonly kind: 'batch'; readonly elements: readonly Json[] };

/** @throws RequestError for what is no JSON, or a batch that is too long */
export function parseBody(bytes: Buffer, maxBatch: number): Body {
  const json = parse(bytes);
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

/** One operation of a body. @throws RequestError */
export function parseOperation(element: Json): GraphqlRequest {
  if (!isJsonObject(element)) {
    throw new RequestError('parse-failed', 'expected an object with the key "query"');
  }
  const { query, operationName, variables, extensions } = element;
  if (isJsonObject(extensions) && extensions.persistedQuery !== undefined) {
    throw new RequestError('not-supported', 'Automatic Persisted Queries is not enabled');
  }
  if (query === undefined) throw new RequestError('parse-failed', 'key "query" not found');
  if (typeof query !== 'string') {
    throw new RequestError('parse-failed', 'expected a string', '$.query');
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw new RequestError('parse-failed', 'expected a string', '$.operationName');
  }
  return { query, operationName: operationName ?? undefined, variables };
}

function parse(bytes: Buffer): Json {
  try {
    return parseJson(bytes.toString('utf8'));
  } catch (cause) {
    throw new RequestError('invalid-json', 'the request body is not valid JSON', '$', cause);
  }
}
