import { isSafeError, SafeError } from 'postgraphile/grafast';
import { GraphQLError } from 'postgraphile/graphql';
import { sqlState } from '../../../permissions/index.ts';
import { CallerError } from '../../caller/authenticate.ts';
import { type ErrorView, toRequestError } from '../../graphql/execute/errors/postgres-error.ts';
import type { FailedStep } from '../../graphql/execute/errors/write-error.ts';
import {
  RequestError,
  type UserDefinedCode,
  validationFailed,
} from '../../graphql/request-error.ts';
import type { TouchedTables } from '../schema/touched-tables.ts';

/** An error whose message and extensions clients get as they are. */
export class ShownError extends SafeError {
  constructor(message: string, extensions: Record<string, unknown>) {
    super(message, extensions);
    Object.setPrototypeOf(this, ShownError.prototype);
  }
}

/** What the failures of one operation are reported by. */
export interface FailureView {
  readonly errors: ErrorView;
  /** Whether the database, or the way to it, has caused an error. */
  readonly isOfClient: (error: unknown) => boolean;
  /** Absent where the operation only reads. */
  readonly writes: TouchedTables['writes'] | undefined;
  /** The name of a root field by its response key. */
  readonly fieldOf: (key: string) => string | undefined;
}

/** Every other statement of a transaction fails so once one has failed. */
const AFTER_ANOTHER = '25P02';

/** The one error that is reported of an operation: all of it has failed with any. */
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
  { errors, isOfClient, writes, fieldOf }: FailureView,
): RequestError | CallerError {
  const field = fieldOf(String(error.path?.[0] ?? ''));
  const path = field === undefined ? '$' : `$.selectionSet.${field}`;
  if (cause instanceof RequestError || cause instanceof CallerError) return cause;
  // Without a path nothing was run: variables do not fit, or a plan cannot be made.
  if (cause instanceof GraphQLError) {
    return error.path
      ? userError(cause, path)
      : validationFailed(hidesNames(cause.message, errors));
  }
  if (cause instanceof ShownError) return userError(cause, path, true);
  if (cause instanceof Error && isSafeError(cause)) return userError(cause, path);
  if (isNoRow(cause)) return noRow(path, cause);
  if (isBadNodeId(cause)) return new RequestError('bad-request', cause.message, path);
  if (!isOfClient(cause)) return new RequestError('unexpected', 'internal error', path, cause);
  return toRequestError(cause, errors, stepOf(writes, field, path));
}

// Suggestions instead of a wrong name reveal the schema, too.
function hidesNames(message: string, { role }: ErrorView): string {
  return role.role.introspection ? message : message.replace(/ Did you mean .*$/, '');
}

/** An error that was made to be shown. */
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

/** Of an input; a field that takes a node id is null instead. */
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
