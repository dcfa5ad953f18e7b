import type { OperationTypeNode } from 'postgraphile/graphql';
import type { Share } from '../../db/requests/fair-shares.ts';
import type { RunnableOperation } from './operation.ts';
import type { RequestCaller } from './request-caller.ts';

/** Runs the operations of one role in one dialect of GraphQL. */
export interface RoleEngine {
  /** Returns the text of a response that has data. @throws RequestError, CallerError, BusyError */
  run(request: RunnableOperation, requestCaller: RequestCaller, share: Share): Promise<string>;
  /** Checks the document of a request, but not its variables; returns the kind of its operation. @throws RequestError */
  check(request: Pick<RunnableOperation, 'query' | 'operationName'>): `${OperationTypeNode}`;
}
