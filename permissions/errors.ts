import pg from 'pg';
import { type Diagnostic, type DiagnosticCode, formatDiagnostic } from './diagnostics.ts';

/** `RG_USAGE`: the command line is not understood. */
export type ErrorCode = DiagnosticCode | 'RG_USAGE';

/** Base class of the failures that are foreseen: those of the compiler, and those of the server that have a code. */
export abstract class RowgateError<
  Details = undefined,
  Code extends string = ErrorCode,
> extends Error {
  /** Stands in a documented table of codes. */
  abstract readonly code: Code;
  /** Facts beside the message. */
  readonly details: Details;

  constructor(message: string, details: Details, cause?: unknown) {
    super(message, { cause });
    this.details = details;
  }
}

/** Thrown where a command cannot do what its options ask for; the message is for the person at the terminal. */
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
  /** What to do about it. */
  readonly hint?: string | undefined;
  /** 1 where the state of the database prevents it, 2 where the input cannot be used. */
  readonly exitCode: 1 | 2;
}

/** Thrown where findings about the metadata stop a command; carries every finding. */
export class MetadataError extends RowgateError<readonly Diagnostic[]> {
  override readonly name = 'MetadataError';

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'), diagnostics);
  }

  /** Of the first finding. An accessor, because the log shows the message alone, which has every code. */
  get code(): ErrorCode {
    return this.details[0]?.code ?? 'RG_SHAPE';
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.details;
  }
}

/** Thrown where migrations and database do not fit together; the message names the file and what to do. */
export class MigrationError extends RowgateError {
  override readonly name = 'MigrationError';
  override readonly code = 'RG_MIGRATION';

  constructor(message: string, cause?: unknown) {
    super(message, undefined, cause);
  }
}

/** Thrown where the plan that was agreed to is no longer the one that would run. */
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
 * The SQLSTATE of an error that Postgres reported; undefined for any other error.
 * See https://www.postgresql.org/docs/current/errcodes-appendix.html.
 */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
