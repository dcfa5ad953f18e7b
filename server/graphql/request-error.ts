/** What a client is told of a failed operation: Hasura's codes, and the place as a JSON path. */
export class RequestError extends Error {
  readonly code: string;
  /** e.g. `$.selectionSet.invoice.args.where.id._eq`. */
  readonly path: string;
  /** Seconds after which trying again may help. */
  readonly retryAfter: number | undefined;
  /** What an action's handler says, in the place of all others. */
  extensions: Readonly<Record<string, unknown>> | undefined;

  constructor(code: string, message: string, path = '$', cause?: unknown, retryAfter?: number) {
    super(message, { cause });
    this.name = 'RequestError';
    this.code = code;
    this.path = path;
    this.retryAfter = retryAfter;
  }
}

/** An operation that does not fit the role's schema. */
export function validationFailed(message: string, path = '$'): RequestError {
  return new RequestError('validation-failed', message, path);
}

/** An operation that goes beyond ROWGATE_MAX_DEPTH, or the depth of its role. */
export function tooDeep(maxDepth: number, path = '$'): RequestError {
  const message = `the operation is nested deeper than ${maxDepth} levels`;
  return new RequestError('depth-limit-exceeded', message, path);
}

/**
 * What conditions and orderings of one operation may be made of. Beyond it, compiling holds up all other requests, and
 * Postgres plans for longer than it would run.
 */
export const MAX_PARTS = 10_000;

/** An operation whose conditions and orderings have more than {@link MAX_PARTS} parts. */
export function tooManyParts(path = '$'): RequestError {
  const message = `the conditions and orderings of one operation may have ${MAX_PARTS} objects and comparisons; compare with lists (_in), or ask in several operations`;
  return new RequestError('node-limit-exceeded', message, path);
}

/** Something that nothing was done for, and that may be asked for again a moment later. */
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
