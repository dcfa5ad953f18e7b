/** What a client is told of a failed operation: Hasura's codes, and the place as a JSON path. */
export class RequestError extends Error {
  readonly code: string;
  /** e.g. `$.selectionSet.invoice.args.where.id._eq`. */
  readonly path: string;

  constructor(code: string, message: string, path = '$', cause?: unknown) {
    super(message, { cause });
    this.name = 'RequestError';
    this.code = code;
    this.path = path;
  }
}

/** An operation that does not fit the role's schema. */
export function validationFailed(message: string, path = '$'): RequestError {
  return new RequestError('validation-failed', message, path);
}

/** An operation that goes beyond the limit of ROWGATE_MAX_DEPTH. */
export function tooDeep(maxDepth: number, path = '$'): RequestError {
  const message = `the operation is nested deeper than ${maxDepth} levels`;
  return new RequestError('depth-limit-exceeded', message, path);
}

/** The body of a response that carries one error. */
export function errorBody(error: RequestError): string {
  return JSON.stringify({
    errors: [{ message: error.message, extensions: { path: error.path, code: error.code } }],
  });
}
