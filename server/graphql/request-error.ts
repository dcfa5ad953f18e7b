import { RowgateError } from '../../permissions/index.ts';
import type { CallerErrorCode } from '../caller/authenticate.ts';

/** Error codes in answers: Hasura's, two of Apollo's for persisted queries, and those of Rowgate's limits. */
export type GraphqlErrorCode =
  | CallerErrorCode
  | LimitCode
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  | 'conflict'
  | 'constraint-violation'
  | 'data-exception'
  | 'invalid-json'
  | 'not-supported'
  | 'outcome-unknown'
  | 'parse-failed'
  | 'permission-error'
  | 'unavailable'
  | 'unexpected';

type LimitCode =
  | 'batch-limit-exceeded'
  | 'body-limit-exceeded'
  | 'depth-limit-exceeded'
  | 'node-limit-exceeded'
  | 'rate-limit-exceeded'
  | 'row-limit-exceeded'
  | 'size-limit-exceeded'
  | 'time-limit-exceeded';

declare const userDefined: unique symbol;

/** An error code from a plugin or from the handler of an action. */
export type UserDefinedCode = string & { readonly [userDefined]: true };

/** The error of a failed operation for the client, with its place in the operation as a JSON path. */
export class RequestError extends RowgateError<
  RequestErrorDetails,
  GraphqlErrorCode | UserDefinedCode
> {
  override readonly name = 'RequestError';
  override readonly code: GraphqlErrorCode | UserDefinedCode;
  /** Extensions from the handler of an action, which replace all others. */
  extensions: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: GraphqlErrorCode | UserDefinedCode,
    message: string,
    path = '$',
    cause?: unknown,
    retryAfter?: number,
  ) {
    super(message, { path, retryAfter }, cause);
    this.code = code;
  }

  get path(): string {
    return this.details.path;
  }

  get retryAfter(): number | undefined {
    return this.details.retryAfter;
  }
}

interface RequestErrorDetails {
  /** e.g. `$.selectionSet.invoice.args.where.id._eq`. */
  readonly path: string;
  /** Seconds after which another try may succeed. */
  readonly retryAfter: number | undefined;
}

/** Makes the error for an operation that does not fit the role's schema. */
export function validationFailed(message: string, path = '$'): RequestError {
  return new RequestError('validation-failed', message, path);
}

/** Makes the error for an operation that has changed nothing and may be tried again after a second. */
export function unavailable(message: string, cause?: unknown): RequestError {
  return new RequestError('unavailable', message, '$', cause, 1);
}

/** Returns the JSON text of an error for clients. */
export function errorObject(error: RequestError): string {
  const { message, path, code, retryAfter, extensions } = error;
  return JSON.stringify({ message, extensions: extensions ?? { path, code, retryAfter } });
}

/** Returns the JSON text of a list with one error. */
export function errorList(error: RequestError): string {
  return `[${errorObject(error)}]`;
}

/** Returns the body of a response with one error. */
export function errorBody(error: RequestError): string {
  return `{"errors":${errorList(error)}}`;
}
