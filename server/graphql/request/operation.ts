import type { OperationTypeNode } from 'postgraphile/graphql';
import type { Json } from '../json.ts';
import { RequestError } from '../request-error.ts';

/** One operation as a client sends it, with its document or with a hash or id of the document. */
export interface ParsedOperation {
  readonly query: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: Json | undefined;
  /** SHA-256 of the document in hexadecimal digits, from Apollo's automatic persisted queries. */
  readonly hash: string | undefined;
  /** Id of a document of the allow-list: `collection/name`, or the document's SHA-256. */
  readonly documentId: string | undefined;
}

/** How a transport received an operation, and how it delivers the answer. */
export interface Delivery {
  /** Aborts when the client no longer waits for the answer; the reason is the error of the operation. */
  readonly signal: AbortSignal;
  /** Size of the request body or message; undefined for a URL. */
  readonly bytes: number | undefined;
  /**
   * Calls `done` once the client has taken the answer or is gone. Undefined when the transport limits the bytes of its
   * answers itself.
   */
  readonly whenSent: ((done: () => void) => void) | undefined;
}

/** An operation with the text of its document. */
export interface RunnableOperation
  extends Pick<ParsedOperation, 'operationName' | 'variables'>,
    Delivery {
  readonly query: string;
}

/** Refuses mutations and subscriptions in requests that may only read. @throws RequestError */
export function refuseWrites(operation: `${OperationTypeNode}`): void {
  if (operation === 'query') return;
  throw new RequestError('bad-request', 'only queries can be run by GET; use POST');
}
