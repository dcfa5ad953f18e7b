import { RowgateError } from '../permissions/errors.ts';

/** The codes of failures of the process, as opposed to mistakes in the metadata. The documentation lists every code. */
export const processErrorCodes = {
  RG_CONFIG: 'an environment variable is missing or invalid',
  RG_USAGE: 'the command line is not understood',
  RG_DATA_DIR: 'the data folder cannot be used',
  RG_CLUSTER_VERSION: 'the data folder holds a cluster of another Postgres major version',
  RG_CLUSTER_FAILED: 'the embedded Postgres cannot be made, started or stopped',
  RG_BINARIES: 'the embedded Postgres binaries are missing or do not run on this machine',
  RG_PACKAGE_MISSING: 'a feature needs an optional package that is not installed',
  RG_DATABASE_UNREACHABLE: 'the database server does not answer or refuses the login',
  RG_POSTGRES_TOO_OLD: 'the database server is older than Postgres 14',
  RG_NOT_PREPARED: 'the database lacks the objects of `rowgate migrate` or `rowgate apply`',
  RG_LISTEN: 'the HTTP address cannot be listened on',
} as const;

export type ProcessErrorCode = keyof typeof processErrorCodes;

/** Exit codes of commands: 1 failure, 2 wrong usage or unreadable input, 4 unreachable database. */
export type FailureExit = 1 | 2 | 4;

export interface ProcessErrorDetails {
  /** Advice, shown after the message. */
  readonly hint?: string;
  /** Default 1. */
  readonly exitCode?: FailureExit;
}

/** An expected failure. Its message is for the person at the terminal and contains no secret. */
export class ProcessError extends RowgateError<ProcessErrorDetails, ProcessErrorCode> {
  override readonly name = 'ProcessError';
  override readonly code: ProcessErrorCode;

  constructor(
    code: ProcessErrorCode,
    message: string,
    { cause, ...details }: ProcessErrorDetails & { readonly cause?: unknown } = {},
  ) {
    super(message, details, cause);
    this.code = code;
  }

  get hint(): string | undefined {
    return this.details.hint;
  }

  get exitCode(): FailureExit {
    return this.details.exitCode ?? 1;
  }
}

/** Returns the `code` of a Node or Postgres error (`ENOENT`, `57P03`), undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Returns a message for any thrown value. The message is empty only when an empty string was thrown. */
export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return errorMessage(error.errors[0]);
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}
