import { RowgateError } from '../../permissions/index.ts';
import type { CallerErrorCode } from '../caller/authenticate.ts';

/** The codes of errors in answers: Hasura's, Apollo's two of persisted queries, and those of Rowgate's own limits. */
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

/** A code that a plugin or the handler of an action chose. */
export type UserDefinedCode = string & { readonly [userDefined]: true };

/** The error of a failed operation as the client gets it, with its place as a JSON path. */
export class RequestError extends RowgateError<
  RequestErrorDetails,
  GraphqlErrorCode | UserDefinedCode
> {
  override readonly name = 'RequestError';
  override readonly code: GraphqlErrorCode | UserDefinedCode;
  /** The extensions that an action's handler answered, instead of all others. */
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
  /** Seconds after which trying again may help. */
  readonly retryAfter: number | undefined;
}

/** An operation that does not fit the role's schema. */
export function validationFailed(message: string, path = '$'): RequestError {
  return new RequestError('validation-failed', message, path);
}

/** Nothing was done, and the client may try again a moment later. */
export function unavailable(message: string, cause?: unknown): RequestError {
  return new RequestError('unavailable', message, '$', cause, 1);
}

/** An error as clients get it, as JSON text. */
export function errorObject(error: RequestError): string {
  const { message, path, code, retryAfter, extensions } = error;
  return JSON.stringify({ message, extensions: extensions ?? { path, code, retryAfter } });
}

/** A list of one error, as JSON text. */
export function errorList(error: RequestError): string {
  return `[${errorObject(error)}]`;
}

/** The body of a response that carries one error. */
export function errorBody(error: RequestError): string {
  return `{"errors":${errorList(error)}}`;
}
