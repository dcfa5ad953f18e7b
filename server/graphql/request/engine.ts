import type { OperationTypeNode } from 'postgraphile/graphql';
import type { Share } from '../../db/requests/fair-shares.ts';
import type { RunnableRequest } from './request.ts';
import type { RequestCaller } from './request-caller.ts';

/** Runs the operations of one role in one dialect of GraphQL. */
export interface Engine {
  /** Returns the text of a response that has data. @throws RequestError, CallerError, BusyError */
  run(request: RunnableRequest, requestCaller: RequestCaller, share: Share): Promise<string>;
  /** Checks the document of a request, but not its variables; returns the kind of its operation. @throws RequestError */
  check(request: Pick<RunnableRequest, 'query' | 'operationName'>): `${OperationTypeNode}`;
}
