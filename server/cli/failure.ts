import { CommandError, MetadataError } from '../../permissions/index.ts';
import { errorCode, errorMessage, ProcessError } from '../errors.ts';
import { maskText } from '../log/mask-text.ts';

/**
 * Tells a failure to the person at the terminal and returns the exit code for it.
 * A stack is shown only where the log level asks for details.
 */
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

/** What is wrong and what to do; `detailed` where the stack is shown anyway. */
export function failureText(error: unknown, detailed: boolean): string {
  if (error instanceof MetadataError) return error.message;
  if (error instanceof ProcessError || error instanceof CommandError) {
    const hint = error.hint === undefined ? '' : `\n  ${error.hint}`;
    return `rowgate: ${error.code} ${error.message}${hint}`;
  }
  // Failures that the compiler foresaw carry such a code and say all that there is to say.
  const code = errorCode(error);
  if (code?.startsWith('RG_')) return `rowgate: ${code} ${errorMessage(error)}`;
  const hint = detailed ? '' : '\n  set ROWGATE_LOG_LEVEL=debug to see where it comes from';
  return `rowgate: unexpected error: ${errorMessage(error)}${hint}`;
}

/** As documented for every command; 1 for what was not foreseen. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ProcessError || error instanceof CommandError) return error.exitCode;
  const unreadable =
    error instanceof MetadataError &&
    error.diagnostics.some(({ code }) => code === 'RG_FILE_UNREADABLE');
  return unreadable ? 2 : 1;
}
