import { isSafeError, SafeError } from 'postgraphile/grafast';
import { GraphQLError } from 'postgraphile/graphql';
import { sqlState } from '../../../permissions/index.ts';
import { CallerError } from '../../caller/authenticate.ts';
import { type ErrorView, toRequestError } from '../../graphql/errors/postgres-error.ts';
import type { FailedStep } from '../../graphql/errors/write-error.ts';
import {
  RequestError,
  type UserDefinedCode,
  validationFailed,
} from '../../graphql/request-error.ts';
import type { TouchedTables } from '../schema/touched-tables.ts';

/** An error whose message and extensions reach clients unchanged. */
export class ShownError extends SafeError {
  constructor(message: string, extensions: Record<string, unknown>) {
    super(message, extensions);
    Object.setPrototypeOf(this, ShownError.prototype);
  }
}

/** The facts about an operation that decide how much its errors reveal to the client. */
export interface FailureView {
  readonly errors: ErrorView;
  /** Whether the database or the connection has caused an error. */
  readonly isDatabaseError: (error: unknown) => boolean;
  /** The writes of the operation to tables, by the name of the root field; undefined when the operation only reads. */
  readonly writes: TouchedTables['writes'] | undefined;
  /** Returns the name of the root field with a response key. */
  readonly fieldOf: (key: string) => string | undefined;
}

/**
 * SQLSTATE of every statement that follows a failed statement in the same transaction. It does not describe the cause.
 */
const AFTER_ANOTHER = '25P02';

/** Returns the error to report. An operation reports only one error, because any error fails the whole operation. */
export function toFailure(
  errors: readonly GraphQLError[],
  view: FailureView,
): RequestError | CallerError {
  const causes = errors.map((error) => ({ error, cause: causeOf(error) }));
  const first = causes.find(({ cause }) => !isAfterAnother(cause)) ?? causes[0];
  if (!first) return new RequestError('unexpected', 'internal error');
  return failureOf(first.error, first.cause, view);
}

function causeOf(error: GraphQLError): unknown {
  let cause: unknown = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

function isAfterAnother(cause: unknown): boolean {
  return sqlState(cause) === AFTER_ANOTHER;
}

function failureOf(
  error: GraphQLError,
  cause: unknown,
  { errors, isDatabaseError, writes, fieldOf }: FailureView,
): RequestError | CallerError {
  const field = fieldOf(String(error.path?.[0] ?? ''));
  const path = field === undefined ? '$' : `$.selectionSet.${field}`;
  if (cause instanceof RequestError || cause instanceof CallerError) return cause;
  // An error without a path occurred before the execution: in the variables or while planning.
  if (cause instanceof GraphQLError) {
    return error.path
      ? userError(cause, path)
      : validationFailed(withoutSuggestions(cause.message, errors));
  }
  if (cause instanceof ShownError) return userError(cause, path, true);
  if (cause instanceof Error && isSafeError(cause)) return userError(cause, path);
  if (isNoRow(cause)) return noRow(path, cause);
  if (isBadNodeId(cause)) return new RequestError('bad-request', cause.message, path);
  if (!isDatabaseError(cause)) return new RequestError('unexpected', 'internal error', path, cause);
  return toRequestError(cause, errors, stepOf(writes, field, path));
}

// Suggested names reveal the schema to roles without introspection.
function withoutSuggestions(message: string, { role }: ErrorView): string {
  return role.role.introspection ? message : message.replace(/ Did you mean .*$/, '');
}

/** Makes the error for a message that a plugin or handler wrote for clients. */
function userError(
  { message, extensions }: { readonly message: string; readonly extensions?: object | undefined },
  path: string,
  isShown = false,
): RequestError {
  const code = extensions && 'code' in extensions ? extensions.code : undefined;
  const own = typeof code === 'string' ? (code as UserDefinedCode) : 'bad-request';
  const error = new RequestError(own, message, path);
  if (isShown) error.extensions = { ...extensions };
  return error;
}

function isNoRow(cause: unknown): cause is Error {
  return (
    cause instanceof Error && /^No values were (updated|deleted) in collection/.test(cause.message)
  );
}

/** Whether the node id in an input object is invalid. A field with an invalid node id as its argument returns null. */
function isBadNodeId(cause: unknown): cause is Error {
  return cause instanceof Error && cause.message.startsWith('Invalid node identifier for ');
}

function noRow(path: string, cause: Error): RequestError {
  const kind = cause.message.includes('updated') ? 'change' : 'delete';
  return new RequestError('not-found', `there is no such row that the role may ${kind}`, path);
}

function stepOf(
  writes: FailureView['writes'],
  field: string | undefined,
  path: string,
): FailedStep | undefined {
  if (!writes) return undefined;
  const write = writes.get(field ?? '');
  const kind = write?.kind ?? 'read';
  return { kind, table: write?.table, path, returnsRows: true };
}
