import type { OperationTypeNode } from 'postgraphile/graphql';
import type { Json } from '../json.ts';
import { RequestError } from '../request-error.ts';

/** One operation as a client sends it: its document, or what the document is known by. */
export interface ParsedOperation {
  readonly query: string | undefined;
  readonly operationName: string | undefined;
  readonly variables: Json | undefined;
  /** sha256 of the document in hexadecimal digits, of Apollo's automatic persisted queries. */
  readonly hash: string | undefined;
  /** Names a document of the allow-list: `collection/name`, or its sha256. */
  readonly documentId: string | undefined;
}

/** How the transport of an operation received it and waits for the answer. */
export interface Delivery {
  /** Aborts once the client has given up; its reason is the error of the operation. */
  readonly signal: AbortSignal;
  /** Size of the body or message that the operation came in; undefined for a link. */
  readonly bytes: number | undefined;
  /**
   * Calls `done` once the client has taken the answer, or never will. Undefined: the transport itself counts the bytes
   * that it holds of answers.
   */
  readonly whenSent: ((done: () => void) => void) | undefined;
}

/** An operation whose document is known. */
export interface RunnableOperation
  extends Pick<ParsedOperation, 'operationName' | 'variables'>,
    Delivery {
  readonly query: string;
}

/** Refuses a mutation or subscription where only queries may run. @throws RequestError */
export function refuseWrites(operation: `${OperationTypeNode}`): void {
  if (operation === 'query') return;
  throw new RequestError('bad-request', 'only queries can be run by GET; use POST');
}
