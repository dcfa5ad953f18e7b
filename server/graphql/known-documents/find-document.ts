import type { ParsedOperation } from '../request/operation.ts';
import { noHash } from '../request/parse-operation.ts';
import { callerKey, type RequestCaller } from '../request/request-caller.ts';
import type { RoleEngine } from '../request/role-engine.ts';
import { RequestError } from '../request-error.ts';
import type { ListedDocuments } from './listed-documents.ts';
import type { PersistedQueries } from './persisted-queries.ts';
import { sha256 } from './sha256.ts';

/** The documents that operations can refer to instead of sending them. */
export interface KnownDocuments {
  readonly listed: ListedDocuments;
  /** Undefined when clients cannot register documents. */
  readonly persisted: PersistedQueries | undefined;
}

/**
 * Finds the document of an operation, and registers the document if the client requests that.
 * @throws RequestError
 */
export function findDocument(
  operation: ParsedOperation,
  requestCaller: RequestCaller,
  engine: RoleEngine,
  documents: KnownDocuments,
): string {
  const { query, hash, documentId } = operation;
  const { role } = requestCaller.caller;
  if (documentId !== undefined) return listedDocument(documentId, role, documents);
  if (hash !== undefined && query !== undefined && !documents.persisted) {
    throw new RequestError('not-supported', 'Automatic Persisted Queries is not enabled');
  }
  if (hash !== undefined && !/^[0-9a-f]{64}$/.test(hash)) throw noHash();
  if (hash !== undefined && query === undefined) return knownDocument(hash, role, documents);
  if (query === undefined) throw new RequestError('parse-failed', 'key "query" not found');
  if (hash === undefined || !documents.persisted) return query;
  if (sha256(query) !== hash) {
    throw new RequestError('bad-request', 'provided sha does not match query', '$.extensions');
  }
  // Refuses to store a document that the role cannot run, so that useless documents cannot fill the cache.
  engine.check({ query, operationName: operation.operationName });
  // The hash has a fixed length, however long the session variables are.
  documents.persisted.set(hash, query, sha256(callerKey(requestCaller)));
  return query;
}

type Role = RequestCaller['caller']['role'];

function listedDocument(id: string, role: Role, { listed }: KnownDocuments): string {
  const text = listed.textOf(id, role);
  if (text !== undefined) return text;
  throw new RequestError(
    'validation-failed',
    'no document is listed under this id',
    '$.documentId',
  );
}

function knownDocument(hash: string, role: Role, { listed, persisted }: KnownDocuments): string {
  const text = listed.textOf(hash, role) ?? persisted?.get(hash);
  if (text !== undefined) return text;
  // Clients of Apollo rely on these messages and codes. They then send the document, or stop sending hashes.
  throw persisted
    ? new RequestError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')
    : new RequestError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
}
