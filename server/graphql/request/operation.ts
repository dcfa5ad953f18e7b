import type { OperationTypeNode } from 'postgraphile/graphql';
import type { Json } from '../json.ts';
import type { Measurement } from '../metrics/operation-metrics.ts';
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

/** Facts about receiving an operation and delivering its answer, from the transport. */
export interface Delivery {
  /** Aborts when the client no longer waits for the answer. The reason is the error of the operation. */
  readonly signal: AbortSignal;
  /** Size of the request body or message; undefined for a URL. */
  readonly bytes: number | undefined;
  /**
   * Calls `done` after the client has received the answer or has disconnected. Undefined when the transport itself
   * limits the bytes of its answers.
   */
  readonly whenSent: ((done: () => void) => void) | undefined;
}

/** An operation with the text of its document. */
export interface RunnableOperation
  extends Pick<ParsedOperation, 'operationName' | 'variables'>,
    Delivery {
  readonly query: string;
  /** Learns which operation runs; absent: the operation is not measured. */
  readonly measurement?: Measurement | undefined;
}

/** Refuses mutations and subscriptions in requests that may only read. @throws RequestError */
export function refuseWrites(operation: `${OperationTypeNode}`, reason: string): void {
  if (operation !== 'query') throw new RequestError('bad-request', reason);
}
