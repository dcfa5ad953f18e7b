import type { OperationTypeNode } from 'postgraphile/graphql';
import type { Share } from '../../db/requests/fairness/fair-shares.ts';
import type { AnswerText } from '../answer-text.ts';
import type { LiveOperation } from './live-operation.ts';
import type { RunnableOperation } from './operation.ts';
import type { RequestCaller } from './request-caller.ts';

/** Checks and runs the operations of one role in one dialect of GraphQL. */
export interface RoleEngine {
  /** Runs an operation. Returns the response as JSON text. @throws RequestError, CallerError, BusyError */
  run(request: RunnableOperation, requestCaller: RequestCaller, share: Share): Promise<AnswerText>;
  /** Checks a document, but not its variables, and returns the type of the operation. @throws RequestError */
  check(
    request: Pick<RunnableOperation, 'query' | 'operationName' | 'measurement'>,
  ): `${OperationTypeNode}`;
  /**
   * Checks and compiles a subscription. Its fetches do not use the signal of the request. Absent if the dialect has no
   * subscriptions. @throws RequestError, CallerError
   */
  subscribe?(request: RunnableOperation, requestCaller: RequestCaller, share: Share): LiveOperation;
  /**
   * Returns the statement of each root field of a query, and its plan as Postgres prints it in JSON. The statements do
   * not run. Absent if the dialect cannot explain. @throws RequestError when the operation is no query, or cannot run
   */
  explain?(
    request: RunnableOperation,
    requestCaller: RequestCaller,
    share: Share,
  ): Promise<readonly ExplainedField[]>;
}

/** A root field of a query with its statement, and the plan in JSON. */
export interface ExplainedField {
  readonly field: string;
  readonly sql: string;
  readonly plan: string;
}
