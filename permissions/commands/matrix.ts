import { CommandError } from '../errors.ts';
import { roleNamed } from '../model/roles/role-named.ts';
import type { Model } from '../types/model.ts';
import type { Command, CommandContext, ExitCode } from './context/command.ts';
import { printMistakes } from './context/findings.ts';
import { loadedModel } from './context/loaded-model.ts';
import { catalogOption, jsonOption, metadataOption } from './context/options.ts';
import { printOrWrite } from './context/print-or-write.ts';

/** `rowgate matrix` shows what each role may do with each table. With a catalog file it needs no database. */
export const matrix: Command = {
  name: 'matrix',
  summary: 'show which role may see and change what: as a grid, in words, or as a page',
  options: {
    ...metadataOption,
    ...catalogOption,
    role: { type: 'string', multiple: true, help: 'only this role, in words; may be repeated' },
    table: { type: 'string', multiple: true, help: 'only this table, in words; may be repeated' },
    column: { type: 'string', help: 'show who may use this column, e.g. invoice.amount' },
    ...jsonOption,
    markdown: { type: 'boolean', default: false, help: 'print Markdown' },
    csv: { type: 'boolean', default: false, help: 'print CSV' },
    html: {
      type: 'boolean',
      default: false,
      help: 'print one HTML page with filters and a search',
    },
    out: { type: 'string', help: 'the file to write (default: standard output)' },
  },
  run: (options, _positionals, context) =>
    printMistakes(context, options.json === true, () => run(options, context)),
};

const formats = ['json', 'markdown', 'csv', 'html'] as const;

type Options = Readonly<Record<string, unknown>>;

async function run(options: Options, context: CommandContext): Promise<ExitCode> {
  const chosen = formats.filter((format) => options[format] === true);
  const [format = 'text', other] = chosen;
  if (other) throw exclusive(`--${format} and --${other}`);
  if (options.column !== undefined && format !== 'text' && format !== 'json')
    throw exclusive(`--column and --${format}`);
  const { model } = await loadedModel(options, context);
  await printOrWrite(await formatted(model, format, options), options.out, context);
  return 0;
}

async function formatted(
  model: Model,
  format: (typeof formats)[number] | 'text',
  options: Options,
): Promise<string> {
  const { buildMatrix } = await import('../matrix/build-matrix.ts');
  const { findColumn, findTable, usesOfColumn } = await import('../matrix/find-column.ts');
  const roles = textsOf(options.role).map((name) => roleNamed(name, 'matrix', model).name);
  const tables = textsOf(options.table).map((name) => findTable(name, [...model.tables.keys()]));
  const isFiltered = roles.length > 0 || tables.length > 0;
  const found = buildMatrix(model, {
    ...(roles.length > 0 ? { roles } : {}),
    ...(tables.length > 0 ? { tables } : {}),
  });
  const column = typeof options.column === 'string' ? findColumn(options.column, found) : undefined;
  switch (format) {
    case 'json':
      return JSON.stringify(
        column ? { ...column, uses: usesOfColumn(found, column) } : found,
        null,
        2,
      );
    case 'markdown':
      return lines((await import('../matrix/output/markdown.ts')).matrixMarkdown(found));
    case 'csv':
      return (await import('../matrix/output/csv.ts')).matrixCsv(found);
    case 'html':
      return (await import('../matrix/output/html.ts')).matrixHtml(found, 'Permissions');
    case 'text': {
      const { columnText, gridText, wordsText } = await import('../matrix/output/text.ts');
      if (column) return lines(columnText(found, column));
      return lines(isFiltered ? wordsText(found) : gridText(found));
    }
  }
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function exclusive(options: string): CommandError {
  return new CommandError('RG_USAGE', `${options} exclude each other`, {
    hint: 'rowgate matrix --help lists the formats',
    exitCode: 2,
  });
}
