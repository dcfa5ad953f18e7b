import type { OperationTypeNode } from 'postgraphile/graphql';
import type { Share } from '../../db/requests/fair-shares.ts';
import type { AnswerText } from '../answer-text.ts';
import type { RunnableOperation } from './operation.ts';
import type { RequestCaller } from './request-caller.ts';

/** Checks and runs the operations of one role in one dialect of GraphQL. */
export interface RoleEngine {
  /** Runs an operation. Returns the response as JSON text. @throws RequestError, CallerError, BusyError */
  run(request: RunnableOperation, requestCaller: RequestCaller, share: Share): Promise<AnswerText>;
  /** Checks a document, but not its variables, and returns the type of the operation. @throws RequestError */
  check(request: Pick<RunnableOperation, 'query' | 'operationName'>): `${OperationTypeNode}`;
}
