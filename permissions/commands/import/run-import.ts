import { Catalog } from '../../catalog/catalog.ts';
import { inspectCatalog } from '../../catalog/inspect-catalog.ts';
import { readCatalog } from '../../catalog/read-catalog.ts';
import { Report } from '../../diagnostics.ts';
import { withFittingRights } from '../../import/fitting-rights.ts';
import { withoutGeneratedColumns } from '../../import/generated-columns.ts';
import { ImportReport } from '../../import/hasura/import-report.ts';
import type { Imported } from '../../import/hasura/imported.ts';
import { type Cursor, UnreadableInput } from '../../import/hasura/input/cursor.ts';
import { readInput } from '../../import/hasura/input/read-input.ts';
import { translateMetadata } from '../../import/hasura/translate-metadata.ts';
import { importJson, importText } from '../../import/print-import.ts';
import { type Settled, settle } from '../../import/settle.ts';
import { writeFiles, writingFolder } from '../../import/write-folder.ts';
import { defaultRolePrefix } from '../../text/names.ts';
import type { CommandContext, ExitCode } from '../context/command.ts';
import { withSnapshot } from '../context/connection.ts';
import { printFindings, printMistakes } from '../context/findings.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Translates the metadata in `input` and writes it to the folder `out`. Writes nothing and prints the reasons when that
 * is not possible. Returns exit code 2 when the input cannot be read, and 3 when a permission cannot be imported.
 */
export function runImport(
  input: string,
  out: string,
  options: Options,
  context: CommandContext,
): Promise<ExitCode> {
  return printMistakes(context, options.json === true, async () => {
    const report = new ImportReport();
    const translated = await translate(input, options, context, report);
    if (!translated) return 2;
    const catalog = await catalogFor(options, context);
    return writingFolder(out, async (draft) => {
      const { imported, files } = await settleAgainst(catalog, translated, context, report);
      const keep = report.isWhole || options['allow-partial'] === true;
      if (keep) await writeFiles(draft, files);
      printImport(imported, report, keep, options, context);
      return { keep, result: keep ? 0 : 3 };
    });
  });
}

function printImport(
  imported: Imported,
  report: ImportReport,
  written: boolean,
  options: Options,
  context: CommandContext,
): void {
  if (options.json === true)
    context.print(JSON.stringify(importJson(imported, report, written), null, 2));
  else for (const line of importText(imported, report)) context.print(line);
  if (written) return;
  context.printError('nothing was written, for permissions are left out');
  context.printError('say --allow-partial to write what came over');
}

/** Translates the input. Prints the reason and returns undefined when the input cannot be read. */
async function translate(
  input: string,
  options: Options,
  context: CommandContext,
  report: ImportReport,
): Promise<Imported | undefined> {
  const mistakes = new Report();
  try {
    const root: Cursor | undefined = await readInput(input, mistakes);
    const source = typeof options.source === 'string' ? options.source : undefined;
    const { headerPrefix } = context;
    if (root) return translateMetadata(root, { headerPrefix, source }, report);
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    mistakes.error(error.code, error.details.position, error.message);
  }
  printFindings(mistakes.diagnostics, context, { json: options.json === true, strict: true });
  return undefined;
}

/** Returns the catalog of the database; undefined when neither a database nor a catalog file is given. */
async function catalogFor(options: Options, context: CommandContext): Promise<Catalog | undefined> {
  if (typeof options.catalog === 'string') return new Catalog(await readCatalog(options.catalog));
  if (!context.hasOwnerUrl) return undefined;
  return new Catalog(await withSnapshot(context, inspectCatalog));
}

async function settleAgainst(
  catalog: Catalog | undefined,
  translated: Imported,
  context: CommandContext,
  report: ImportReport,
): Promise<Settled> {
  const { headerPrefix } = context;
  const rolePrefix = context.rolePrefix ?? defaultRolePrefix(catalog?.data.database ?? '');
  const given = catalog
    ? withFittingRights(withoutGeneratedColumns(translated, catalog, report), catalog)
    : translated;
  return settle(given, { catalog, headerPrefix, rolePrefix }, report);
}
