import type pg from 'pg';
import type { Diagnostic } from '../diagnostics.ts';
import { CommandError } from '../errors.ts';
import { markAccepted, unusedAcceptances } from '../lint/accepted-findings.ts';
import { allFindings, offlineFindings } from '../lint/all-findings.ts';
import { listedOperations } from '../lint/listed-operations.ts';
import { type LoadedModel, resolveModel } from '../model/load-model.ts';
import type { PrepareOptions } from '../plan/prepare.ts';
import { reviewFindings } from '../review/review-findings.ts';
import { seeLoadedAsOwner } from '../rights/closed-installation.ts';
import { missingRightsToApply } from '../rights/missing-rights.ts';
import { runInSlices } from '../types/steps.ts';
import type { Command, CommandContext } from './context/command.ts';
import { withSnapshot } from './context/connection.ts';
import { printFindings, printMistakes } from './context/findings.ts';
import { loadedModel, loadedOffline, namingOf } from './context/loaded-model.ts';
import { jsonOption, metadataOption, prepareOptions } from './context/options.ts';

/** `rowgate check` reports every mistake, warning and notice. It does not change the database. */
export const check: Command = {
  name: 'check',
  summary: 'find mistakes in the metadata and weak places of the database; changes nothing',
  options: {
    ...metadataOption,
    ...jsonOption,
    catalog: {
      type: 'string',
      help: 'check against a file that rowgate catalog wrote; needs no database',
    },
    strict: { type: 'boolean', default: false, help: 'exit 1 for warnings too' },
    fix: {
      type: 'boolean',
      default: false,
      help: 'first correct, in the files, what can be corrected without changing the meaning',
    },
    'dry-run': {
      type: 'boolean',
      default: false,
      help: 'with --fix: print the corrections as a diff, and write nothing',
    },
  },
  run: (options, _positionals, context) => {
    const json = options.json === true;
    refuseMixture(options);
    return printMistakes(context, json, async () => {
      if (options.fix === true) await fixFiles(options, context);
      if (options['dry-run'] === true) return 0;
      const findings = await findingsOf(options, context);
      if (!json && findings.length === 0) context.print('no findings');
      return printFindings(findings, context, { json, strict: options.strict === true });
    });
  },
};

/** @throws CommandError RG_USAGE */
function refuseMixture(options: Readonly<Record<string, unknown>>): void {
  if (options['dry-run'] !== true) return;
  const problem =
    options.fix !== true
      ? '--dry-run needs --fix'
      : options.json === true && '--dry-run prints a diff, so it excludes --json';
  if (problem) throw new CommandError('RG_USAGE', problem, { exitCode: 2 });
}

/** Corrects the files, or prints how it would. Words go to the error output, so that the output stays JSON or a diff. */
async function fixFiles(
  options: Readonly<Record<string, unknown>>,
  context: CommandContext,
): Promise<void> {
  const { fixMetadata, writeFixes } = await import('../review/fix/fix-metadata.ts');
  const loaded = await loadedModel(options, context);
  const naming = namingOf(options, context);
  const files = await fixMetadata(loaded, naming);
  if (options['dry-run'] !== true) await writeFixes(naming.metadata, files);
  const { diffOf, wordsOf } = await import('./print/print-fixes.ts');
  if (options['dry-run'] === true)
    for (const line of diffOf(files, naming.metadata)) context.print(line);
  for (const line of wordsOf(files, options['dry-run'] === true)) context.printError(line);
}

async function findingsOf(
  options: Readonly<Record<string, unknown>>,
  context: CommandContext,
): Promise<readonly Diagnostic[]> {
  if (typeof options.catalog === 'string') {
    const loaded = await loadedOffline(options.catalog, options, context);
    return [...offlineFindings(loaded), ...(await runInSlices(reviewFindings(loaded)))];
  }
  const prepareWith = await prepareOptions(options, context);
  return withSnapshot(context, async (client) => {
    const loaded = await resolveModel({ ...prepareWith, client });
    // Postgres runs the queries of the lints while this process reviews the rules.
    const [{ missing, linted }, reviewed] = await Promise.all([
      lint(client, loaded, prepareWith),
      runInSlices(reviewFindings(loaded)),
    ]);
    const { model, accepted } = loaded;
    const listed = await listedOperations(model, context.findUnrunnable);
    const found = [...linted, ...reviewed, ...markAccepted(listed, accepted)];
    return [...missing, ...found, ...unusedAcceptances(found, accepted)];
  });
}

async function lint(client: pg.ClientBase, loaded: LoadedModel, options: PrepareOptions) {
  const seen = await seeLoadedAsOwner(client, loaded, options);
  const missing = await missingRightsToApply(client, seen);
  return { missing, linted: await allFindings(client, seen) };
}
