import { RowgateError } from '../../permissions/errors.ts';
import type { CallerErrorCode } from '../caller/authenticate.ts';

/**
 * The error codes in answers: codes of Hasura, two codes of Apollo for persisted queries, and codes for Rowgate's
 * limits.
 */
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
  | 'stream-interrupted'
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
  | 'subscription-limit-exceeded'
  | 'time-limit-exceeded';

declare const userDefined: unique symbol;

/** A code chosen by a plugin or by the handler of an action. */
export type UserDefinedCode = string & { readonly [userDefined]: true };

/** The error that a client gets for a failed operation. Its path is the JSON path of the cause. */
export class RequestError extends RowgateError<
  RequestErrorDetails,
  GraphqlErrorCode | UserDefinedCode
> {
  override readonly name = 'RequestError';
  override readonly code: GraphqlErrorCode | UserDefinedCode;
  /** The extensions from an action's handler. They replace all other extensions of the error. */
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
  /** The place of the error in the request, e.g. `$.selectionSet.invoice.args.where.id._eq`. */
  readonly path: string;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;
}

/** The error of an operation that does not fit the schema of the role. */
export function validationFailed(message: string, path = '$'): RequestError {
  return new RequestError('validation-failed', message, path);
}

/** The error of an operation that had no effect. The client may retry it shortly afterwards. */
export function unavailable(message: string, cause?: unknown): RequestError {
  return new RequestError('unavailable', message, '$', cause, 1);
}

/** One error as JSON text, in the format for clients. */
export function errorObject(error: RequestError): string {
  const { message, path, code, retryAfter, extensions } = error;
  return JSON.stringify({ message, extensions: extensions ?? { path, code, retryAfter } });
}

/** A list with one error, as JSON text. */
export function errorList(error: RequestError): string {
  return `[${errorObject(error)}]`;
}

/** The body of a response with one error. */
export function errorBody(error: RequestError): string {
  return `{"errors":${errorList(error)}}`;
}
