import { isJsonObject, type Json } from '../json.ts';
import { RequestError } from '../request-error.ts';
import type { ParsedOperation } from './operation.ts';

/** Reads one operation from a request body, a URL or a WebSocket message. @throws RequestError */
export function parseOperation(element: Json): ParsedOperation {
  if (!isJsonObject(element)) {
    throw new RequestError('parse-failed', 'expected an object with the key "query"');
  }
  const { operationName, variables, extensions } = element;
  const hash = isJsonObject(extensions) ? hashOf(extensions.persistedQuery) : undefined;
  const documentId = optionalText(element.documentId, 'documentId');
  const isKnown = hash !== undefined || documentId !== undefined;
  if (element.query === undefined && !isKnown) {
    throw new RequestError('parse-failed', 'key "query" not found');
  }
  const query = isKnown ? optionalText(element.query, 'query') : text(element.query, 'query');
  if (documentId !== undefined && (query !== undefined || hash !== undefined)) {
    throw new RequestError('bad-request', 'a document is named in one way only', '$.documentId');
  }
  // Some clients send an empty name instead of omitting the name.
  const named = optionalText(operationName, 'operationName') || undefined;
  return { query, operationName: named, variables, hash, documentId };
}

function optionalText(value: Json | undefined, key: string): string | undefined {
  return value === undefined || value === null ? undefined : text(value, key);
}

function text(value: Json | undefined, key: string): string {
  if (typeof value === 'string') return value;
  throw new RequestError('parse-failed', 'expected a string', `$.${key}`);
}

function hashOf(given: Json | undefined): string | undefined {
  if (given === undefined || given === null) return undefined;
  const path = '$.extensions.persistedQuery';
  const { version, sha256Hash } = isJsonObject(given) ? given : {};
  if (version !== 1) {
    throw new RequestError('bad-request', 'Unsupported persisted query version', path);
  }
  if (typeof sha256Hash === 'string') return sha256Hash.toLowerCase();
  throw noHash();
}

/** Makes the error for a hash of a document that is none. */
export function noHash(): RequestError {
  const message = 'sha256Hash must be a SHA-256 in hexadecimal digits';
  return new RequestError('bad-request', message, '$.extensions.persistedQuery');
}
