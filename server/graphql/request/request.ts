import type { OperationTypeNode } from 'postgraphile/graphql';
import type { Json } from '../json.ts';
import { RequestError } from '../request-error.ts';

/** One operation as a client sends it: its document, or what the document is known by. */
export interface GraphqlRequest {
  readonly query: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: Json | undefined;
  /** sha256 of the document in hexadecimal digits, of Apollo's automatic persisted queries. */
  readonly hash?: string | undefined;
  /** Names a document of the allow-list: `collection/name`, or its sha256. */
  readonly documentId?: string | undefined;
  /** Whether it must not write, since another site can make a browser follow a link. */
  readonly isReadOnly?: boolean;
  /** Aborts once the client has given up; its reason is the error of the operation. */
  readonly signal?: AbortSignal | undefined;
  /** Size of the body or message that the request came in. */
  readonly bytes?: number;
  /**
   * Calls `done` once the client has taken the answer, or never will. Absent: what the transport holds of answers is
   * counted elsewhere.
   */
  readonly whenSent?: ((done: () => void) => void) | undefined;
}

/** A request whose document is known. */
export interface RunnableRequest extends GraphqlRequest {
  readonly query: string;
}

/** Refuses a mutation or subscription where only queries may run. @throws RequestError */
export function refuseWrites(
  { isReadOnly = false }: GraphqlRequest,
  operation: `${OperationTypeNode}`,
): void {
  if (!isReadOnly || operation === 'query') return;
  throw new RequestError('bad-request', 'only queries can be run by GET; use POST');
}
