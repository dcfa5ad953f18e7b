import type pg from 'pg';
import { type Diagnostic, formatDiagnostic, statementLines } from '../../diagnostics.ts';
import { MetadataError } from '../../errors.ts';
import type { Prepared, Seen } from '../../plan/prepare.ts';
import { prepareAsOwner } from '../../rights/closed-installation.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { withSnapshot } from './connection.ts';
import { prepareOptions } from './options.ts';
import { countFindings, describeCounts, rankFindings } from './rank-findings.ts';

/**
 * Prints findings by their weight, and how many there are. Accepted warnings are only counted.
 * @returns 1 when one of them is an error, or under `strict` a warning that is not accepted
 */
export function printFindings(
  findings: readonly Diagnostic[],
  context: CommandContext,
  options: { readonly json: boolean; readonly strict: boolean },
): ExitCode {
  const ranked = rankFindings(findings);
  const open = ranked.filter(({ accepted }) => accepted === undefined);
  if (options.json) {
    const counts = countFindings(findings);
    context.print(JSON.stringify({ findings: ranked, counts }, null, 2));
  } else {
    for (const finding of open) context.printError(formatDiagnostic(finding));
    for (const line of statementLines(open)) context.printError(line);
    if (open.length > 1 || open.length < findings.length)
      context.printError(describeCounts(findings));
  }
  const fails = options.strict ? ['error', 'warning'] : ['error'];
  return open.some((one) => fails.includes(one.severity)) ? 1 : 0;
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
 * @param meanwhile further queries that run while this process compiles
 */
export async function withPrepared(
  options: Readonly<Record<string, unknown>>,
  context: CommandContext,
  work: (client: pg.Client, prepared: Prepared) => Promise<ExitCode>,
  meanwhile: (client: pg.Client, seen: Seen) => Promise<void> = async () => {},
): Promise<ExitCode> {
  return printMistakes(context, options.json === true, async () => {
    const prepareWith = await prepareOptions(options, context);
    return withSnapshot(context, async (client) =>
      work(client, await prepareAsOwner(client, prepareWith, (seen) => meanwhile(client, seen))),
    );
  });
}
