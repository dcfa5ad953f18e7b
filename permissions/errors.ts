import type { DiagnosticCode } from './diagnostics.ts';

/** Thrown where a command cannot do what it was asked; the message is for the person at the terminal. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** `RG_USAGE`: the command line is not understood. */
  readonly code: DiagnosticCode | 'RG_USAGE';
  /** What to do about it. */
  readonly hint: string | undefined;
  /** 1 where the database stands against it, 2 where what was given cannot be used. */
  readonly exitCode: 1 | 2;

  constructor(
    code: DiagnosticCode | 'RG_USAGE',
    message: string,
    options: {
      readonly hint?: string | undefined;
      readonly exitCode: 1 | 2;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.exitCode = options.exitCode;
  }
}
