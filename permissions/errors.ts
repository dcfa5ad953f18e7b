import pg from 'pg';
import {
  type Diagnostic,
  type DiagnosticCode,
  formatDiagnostic,
  statementLines,
} from './diagnostics.ts';

/** All diagnostic codes, and `RG_USAGE` for a command line that is not understood. */
export type ErrorCode = DiagnosticCode | 'RG_USAGE';

/** Base class of expected failures that have a code: failures of the compiler and of the server. */
export abstract class RowgateError<
  Details = undefined,
  Code extends string = ErrorCode,
> extends Error {
  /** A code that a table in the documentation explains. */
  abstract readonly code: Code;
  /** Facts about the failure for programs, besides the message. */
  readonly details: Details;

  constructor(message: string, details: Details, cause?: unknown) {
    super(message, { cause });
    this.details = details;
  }
}

/**
 * Thrown when a command cannot do what its options ask for. The message is written for the person at the terminal.
 */
export class CommandError extends RowgateError<CommandErrorDetails> {
  override readonly name = 'CommandError';
  override readonly code: ErrorCode;

  constructor(
    code: ErrorCode,
    message: string,
    { cause, ...details }: CommandErrorDetails & { readonly cause?: unknown },
  ) {
    super(message, details, cause);
    this.code = code;
  }

  get hint(): string | undefined {
    return this.details.hint;
  }

  get exitCode(): 1 | 2 {
    return this.details.exitCode;
  }
}

export interface CommandErrorDetails {
  /** How to fix the problem. */
  readonly hint?: string | undefined;
  /** 1 if the state of the database prevents the command, 2 if the input cannot be used. */
  readonly exitCode: 1 | 2;
}

/** Thrown when findings about the metadata stop a command. Carries every finding. */
export class MetadataError extends RowgateError<readonly Diagnostic[]> {
  override readonly name = 'MetadataError';

  constructor(diagnostics: readonly Diagnostic[]) {
    super(
      [...diagnostics.map(formatDiagnostic), ...statementLines(diagnostics)].join('\n'),
      diagnostics,
    );
  }

  /**
   * The code of the first finding. An accessor, because a log prints the own properties of an error, and the message
   * already contains every code.
   */
  get code(): ErrorCode {
    return this.details[0]?.code ?? 'RG_SHAPE';
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.details;
  }
}

/** Thrown when the migrations do not fit the database. The message names the file and the fix. */
export class MigrationError extends RowgateError {
  override readonly name = 'MigrationError';
  override readonly code = 'RG_MIGRATION';

  constructor(message: string, cause?: unknown) {
    super(message, undefined, cause);
  }
}

/** Thrown when the confirmed plan differs from the current plan. */
export class PlanChangedError extends RowgateError {
  override readonly name = 'PlanChangedError';
  override readonly code = 'RG_PLAN_CHANGED';

  constructor() {
    super(
      'the database or the metadata changed since the plan was made; look at the new plan first',
      undefined,
    );
  }
}

/**
 * Returns the SQLSTATE of an error that Postgres reported; undefined for other errors.
 * See https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Returns whether a statement ended because another session holds a lock, and may succeed later. */
export function isLockFailure(error: unknown): boolean {
  return hasState(error, ['55P03', '40P01']);
}

/** Returns whether a statement ended because of a time limit or a cancel request. */
export function isStopped(error: unknown): boolean {
  return hasState(error, ['57014']);
}

/** Returns whether another session or a time limit ended a statement. Such an error says nothing about a rule. */
export function isInterruption(error: unknown): boolean {
  return isLockFailure(error) || isStopped(error);
}

/** A function that raises the same code itself, with PL/pgSQL, refuses a row. */
function hasState(error: unknown, states: readonly string[]): boolean {
  const isRaised = error instanceof pg.DatabaseError && error.routine === 'exec_stmt_raise';
  return !isRaised && states.includes(sqlState(error) ?? '');
}
