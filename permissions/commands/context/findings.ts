import type pg from 'pg';
import { type Diagnostic, formatDiagnostic, statementLines } from '../../diagnostics.ts';
import { MetadataError } from '../../errors.ts';
import type { Prepared } from '../../plan/prepare.ts';
import { prepareAsOwner } from '../../rights/closed-installation.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { withSnapshot } from './connection.ts';
import { prepareOptions } from './options.ts';

/** Prints findings. Returns 1 when one of them is an error, or a warning while `strict` is true; otherwise 0. */
export function printFindings(
  findings: readonly Diagnostic[],
  context: CommandContext,
  options: { readonly json: boolean; readonly strict: boolean },
): ExitCode {
  if (options.json) context.print(JSON.stringify({ findings }, null, 2));
  else {
    for (const finding of findings) context.printError(formatDiagnostic(finding));
    for (const line of statementLines(findings)) context.printError(line);
  }
  return findings.some((one) => one.severity === 'error' || options.strict) ? 1 : 0;
}

/**
 * Runs work and prints the findings of a MetadataError that it throws.
 * @returns the exit code of the work; after a MetadataError 2 when a file cannot be read, else 1
 */
export async function printMistakes(
  context: CommandContext,
  json: boolean,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    printFindings(error.diagnostics, context, { json, strict: true });
    return error.diagnostics.some((one) => one.code === 'RG_FILE_UNREADABLE') ? 2 : 1;
  }
}

/**
 * Compares the metadata with the database, runs work on the result in a read-only snapshot, and prints mistakes like
 * printMistakes.
 */
export async function withPrepared(
  options: Readonly<Record<string, unknown>>,
  context: CommandContext,
  work: (client: pg.Client, prepared: Prepared) => Promise<ExitCode>,
): Promise<ExitCode> {
  return printMistakes(context, options.json === true, async () => {
    const prepareWith = await prepareOptions(options, context);
    return withSnapshot(context, async (client) =>
      work(client, await prepareAsOwner(client, prepareWith)),
    );
  });
}
