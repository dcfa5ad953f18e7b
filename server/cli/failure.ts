import { CommandError, MetadataError } from '../../permissions/index.ts';
import { errorCode, errorMessage, ProcessError } from '../errors.ts';
import { maskText } from '../log/mask-text.ts';

/** Prints a failure to the terminal and returns its exit code. Prints the stack only at log level debug or trace. */
export function reportFailure(
  error: unknown,
  logLevel: string,
  stderr: NodeJS.WritableStream,
): number {
  const detailed = logLevel === 'debug' || logLevel === 'trace';
  stderr.write(`${maskText(failureText(error, detailed))}\n`);
  if (detailed && error instanceof Error) stderr.write(`${maskText(error.stack ?? '')}\n`);
  return exitCodeOf(error);
}

/** Returns the problem and the advice as text. @param detailed whether the stack is printed as well */
export function failureText(error: unknown, detailed: boolean): string {
  if (error instanceof MetadataError) return error.message;
  if (error instanceof ProcessError || error instanceof CommandError) {
    const hint = error.hint === undefined ? '' : `\n  ${error.hint}`;
    return `rowgate: ${error.code} ${error.message}${hint}`;
  }
  // Expected failures of the compiler have a code that begins with RG_ and a complete message, so they get no hint
  // about debugging.
  const code = errorCode(error);
  if (code?.startsWith('RG_')) return `rowgate: ${code} ${errorMessage(error)}`;
  const hint = detailed ? '' : '\n  set ROWGATE_LOG_LEVEL=debug to see where it comes from';
  return `rowgate: unexpected error: ${errorMessage(error)}${hint}`;
}

/** Returns the documented exit code of a failure, 1 for an unexpected one. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ProcessError || error instanceof CommandError) return error.exitCode;
  const unreadable =
    error instanceof MetadataError &&
    error.diagnostics.some(({ code }) => code === 'RG_FILE_UNREADABLE');
  return unreadable ? 2 : 1;
}
