import { dirname, join } from 'node:path';
import { Catalog, tableKey } from '../../catalog/catalog.ts';
import { inspectCatalog } from '../../catalog/inspect-catalog.ts';
import type { CatalogTable } from '../../catalog/types.ts';
import { type Chosen, chooseTables, type LeftOut } from '../../init/choose-tables.ts';
import { type ExistingFolder, readExisting } from '../../init/existing-folder.ts';
import {
  metadataOption,
  neighbourFiles,
  settingsFiles,
  shippedSchemas,
} from '../../init/project-files.ts';
import { type NewFile, type Proposal, proposeTables } from '../../init/propose-tables.ts';
import { findEnumTables, readTableFacts } from '../../init/table-facts.ts';
import { tableLabel } from '../../init/table-label.ts';
import { makeFolder, writeNewFile } from '../../init/write-new-files.ts';
import type { ModelOptions } from '../../model/build-model.ts';
import { shown } from '../../text/characters.ts';
import { defaultRolePrefix } from '../../text/names.ts';
import type { CommandContext, ExitCode } from '../context/command.ts';
import { withSnapshot } from '../context/connection.ts';

type Options = Readonly<Record<string, unknown>>;

/** Writes the folder, and prints which files are new, which files existed, and which tables have no file. */
export async function runInit(options: Options, context: CommandContext): Promise<ExitCode> {
  const out = String(options.out);
  const { files, leftOut, tracked } = await propose(out, options, context);
  const written: string[] = [];
  const existed: string[] = tracked.map(({ file }) => file);
  const write = async (folder: string, file: NewFile) => {
    const list = (await writeNewFile(folder, file)) ? written : existed;
    list.push(join(folder, file.path));
  };
  await makeFolder(join(out, 'tables'));
  for (const file of files) await write(out, file);
  for (const file of neighbourFiles(out)) await write(dirname(out), file);
  report({ out, written, existed, leftOut }, context);
  return 0;
}

interface InitProposal extends Proposal {
  /** Existing files of tables. */
  readonly tracked: readonly { readonly file: string }[];
}

async function propose(
  out: string,
  options: Options,
  context: CommandContext,
): Promise<InitProposal> {
  return withSnapshot(context, async (client) => {
    const catalog = new Catalog(await inspectCatalog(client));
    const { tables } = catalog.data;
    const facts = await readTableFacts(client, tables);
    const chosen = chooseTables(tables, facts, {
      schemas: listOf(options.schema),
      tables: listOf(options.table),
    });
    const naming = modelOptions(catalog, context);
    const existing = await readExisting(out, catalog, naming);
    const fresh = chosen.tables.filter((table) => !isTracked(table, existing));
    const readable = fresh.filter(({ oid }) => facts.get(oid)?.isReadable);
    const enums = await findEnumTables(client, readable, catalog);
    const role = roleOf(options, existing);
    const others = settingsFiles(role, context.headerPrefix);
    const proposal = await proposeTables(fresh, {
      ...{ ...naming, catalog, existing, enums, role, others },
    });
    return {
      files: [...others, ...proposal.files, ...shippedSchemas()],
      leftOut: leftOutOf(chosen, proposal, existing),
      tracked: existing.raw.tables,
    };
  });
}

/** Returns the settings with which the resulting folder is checked. */
export function modelOptions(catalog: Catalog, context: CommandContext): ModelOptions {
  const { rolePrefix, headerPrefix, inferFunctionPermissions, authenticatedVariables } = context;
  return {
    ...{ headerPrefix, inferFunctionPermissions, authenticatedVariables },
    rolePrefix: rolePrefix ?? defaultRolePrefix(catalog.data.database),
  };
}

function listOf(option: unknown): readonly string[] {
  return Array.isArray(option) ? option.map(String) : [];
}

function isTracked(
  { schema, name }: CatalogTable | LeftOut['table'],
  { model }: ExistingFolder,
): boolean {
  return model.tables.has(tableKey(schema, name));
}

/** Returns the role for the examples: the role of the option, the first role of an existing folder, or `user`. */
export function roleOf({ role }: Options, { raw }: ExistingFolder): string {
  return typeof role === 'string' ? role : (raw.roles[0]?.name ?? 'user');
}

function leftOutOf(
  chosen: Chosen,
  proposal: Proposal,
  existing: ExistingFolder,
): readonly LeftOut[] {
  return [...chosen.leftOut, ...proposal.leftOut].filter(
    ({ table }) => !isTracked(table, existing),
  );
}

interface Outcome {
  readonly out: string;
  readonly written: readonly string[];
  readonly existed: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

function report({ out, written, existed, leftOut }: Outcome, context: CommandContext): void {
  const print = (line: string) => context.print(shown(line));
  for (const file of written) print(`wrote ${file}`);
  for (const file of new Set(existed)) print(`kept ${file}, which exists`);
  for (const { table, reason } of leftOut) print(`left out ${tableLabel(table)}: ${reason}`);
  if (written.length === 0) print('nothing to write');
  const option = metadataOption(out);
  print('next:');
  for (const command of ['check', 'apply', 'serve --only graphql']) {
    print(`  ${['npx rowgate', command, ...option].join(' ')}`);
  }
}
