import type pg from 'pg';
import { inspectCatalog } from '../../catalog/inspect-catalog.ts';
import { rankChanges } from '../../diff/change.ts';
import { compareVersions } from '../../diff/compare/compare-versions.ts';
import { gatherEvidence } from '../../diff/database/gather-evidence.ts';
import { withSources } from '../../diff/load/load-versions.ts';
import { loadVersion, type Version, type VersionSource } from '../../diff/load/version.ts';
import type { DiffReport } from '../../diff/report.ts';
import { MetadataError } from '../../errors.ts';
import type { Command, CommandContext, ExitCode } from '../context/command.ts';
import { withOwner, withSnapshot } from '../context/connection.ts';
import { printFindings } from '../context/findings.ts';
import { jsonOption, metadataOption } from '../context/options.ts';
import { countSecondsOf, failingChanges, formatOf } from './options.ts';
import { formatDiff } from './print-diff.ts';

/** `rowgate diff` says what a change of the metadata means for whom. It changes nothing. */
export const diff: Command = {
  name: 'diff',
  summary: 'say what changes for which role between two versions of the metadata',
  positionals: [
    { name: 'old', help: 'a git revision or a folder (default: HEAD)', optional: true },
    {
      name: 'new',
      help: 'a git revision or a folder (default: the metadata folder)',
      optional: true,
    },
  ],
  options: {
    ...metadataOption,
    catalog: {
      type: 'string',
      help: 'a file that rowgate catalog wrote; needs no database. A revision that has the file is read with its own copy',
    },
    'old-catalog': {
      type: 'string',
      help: 'the catalog file of the old version, if its tables differ',
    },
    'count-seconds': {
      type: 'string',
      help: 'count existing rows gained and lost for at most this many seconds; 0: do not (default: 10)',
    },
    'fail-on': {
      type: 'string',
      default: 'breaking',
      help: 'exit 1 from this class on: dangerous, review or breaking (default: breaking)',
    },
    ...jsonOption,
    markdown: { type: 'boolean', default: false, help: 'print Markdown for a pull request' },
    sarif: { type: 'boolean', default: false, help: 'print SARIF 2.1.0' },
    annotations: { type: 'boolean', default: false, help: 'print annotations of GitHub Actions' },
  },
  run: async (options, positionals, context) => {
    const format = formatOf(options);
    const isFailing = failingChanges(options);
    const seconds = countSecondsOf(options);
    try {
      const report = await reportOf(options, positionals, context, seconds);
      for (const line of formatDiff(report, format)) context.print(line);
      return report.changes.some(isFailing) ? 1 : 0;
    } catch (error) {
      return refuse(error, context, options.json === true);
    }
  },
};

/** Prints the mistakes of a version that cannot be read. Exit code 1 would mean that the comparison found something. */
function refuse(error: unknown, context: CommandContext, json: boolean): ExitCode {
  if (!(error instanceof MetadataError)) throw error;
  printFindings(error.diagnostics, context, { json, strict: true });
  return 2;
}

async function reportOf(
  options: Readonly<Record<string, unknown>>,
  [old, next]: readonly string[],
  context: CommandContext,
  seconds: number,
): Promise<DiffReport> {
  const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
  const versions = {
    ...{ old, new: next, metadata: String(options.metadata) },
    ...{ catalog: text('catalog'), oldCatalog: text('old-catalog') },
  };
  const compare = (client: pg.ClientBase | undefined) =>
    withSources({ ...versions, inspect: () => inspect(client) }, async (before, after) => {
      const loaded = await loadBoth(before, after, context);
      const { model } = loaded.after;
      const names = { before: before.label, after: after.label };
      return { names, model, changes: compareVersions(loaded.before, loaded.after) };
    });
  const compared =
    versions.catalog === undefined
      ? await withSnapshot(context, compare)
      : await compare(undefined);
  const { names, changes, model } = compared;
  const isCounted = versions.catalog === undefined && seconds > 0;
  const reported = isCounted
    ? await withOwner(context, (client) => gatherEvidence(client, changes, { model, seconds }))
    : changes.map((one) => ({ ...one, evidence: undefined }));
  return { ...names, changes: rankChanges(reported) };
}

function inspect(client: pg.ClientBase | undefined) {
  if (!client) throw new Error('a version without a catalog file needs a database');
  return inspectCatalog(client);
}

async function loadBoth(
  before: VersionSource,
  after: VersionSource,
  context: CommandContext,
): Promise<{ readonly before: Version; readonly after: Version }> {
  const parsed = new Map();
  const loadedAfter = await loadVersion(after, context, parsed);
  try {
    return { before: await loadVersion(before, context, parsed), after: loadedAfter };
  } catch (error) {
    if (error instanceof MetadataError)
      context.printError(
        `the old version (${before.label}) does not fit the tables; if they changed, name its catalog with --old-catalog:`,
      );
    throw error;
  }
}
