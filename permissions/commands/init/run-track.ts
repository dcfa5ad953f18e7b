import { join } from 'node:path';
import { Catalog, tableKey } from '../../catalog/catalog.ts';
import { inspectCatalog } from '../../catalog/inspect-catalog.ts';
import { CommandError } from '../../errors.ts';
import { knownTable, unfit } from '../../init/choose-tables.ts';
import { type ExistingFolder, readExisting } from '../../init/existing-folder.ts';
import { type NewFile, proposeTables } from '../../init/propose-tables.ts';
import { findEnumTables, readTableFacts } from '../../init/table-facts.ts';
import { tableLabel } from '../../init/table-label.ts';
import { writeNewFile } from '../../init/write-new-files.ts';
import type { CommandContext, ExitCode } from '../context/command.ts';
import { withSnapshot } from '../context/connection.ts';
import { modelOptions, roleOf } from './run-init.ts';

/**
 * Writes the file of a table.
 * @throws CommandError when the table already has a file or cannot have rules
 */
export async function runTrack(
  written: string,
  metadata: string,
  context: CommandContext,
): Promise<ExitCode> {
  const file = await propose(written, metadata, context);
  if (!(await writeNewFile(metadata, file))) throw refusal(`${join(metadata, file.path)} exists`);
  context.print(`wrote ${join(metadata, file.path)}`);
  return 0;
}

async function propose(
  written: string,
  metadata: string,
  context: CommandContext,
): Promise<NewFile> {
  return withSnapshot(context, async (client) => {
    const catalog = new Catalog(await inspectCatalog(client));
    const naming = modelOptions(catalog, context);
    const table = knownTable(written, catalog.data.tables);
    const existing = await readExisting(metadata, catalog, naming);
    if (!existing.roots.has('roles.yaml')) throw noFolder(metadata);
    refuseTracked(table, existing);
    const facts = (await readTableFacts(client, [table])).get(table.oid);
    const reason = unfit(table, facts);
    if (reason !== undefined) throw refusal(`${tableLabel(table)} cannot have rules: ${reason}`);
    const enums = await findEnumTables(client, facts?.isReadable ? [table] : [], catalog);
    const role = roleOf({}, existing);
    const { files, leftOut } = await proposeTables([table], {
      ...{ ...naming, catalog, existing, enums, role, others: [] },
    });
    const [file] = files;
    if (file) return file;
    throw refusal(`${tableLabel(table)} cannot be tracked: ${leftOut[0]?.reason}`);
  });
}

function refuseTracked(
  table: { readonly schema: string; readonly name: string },
  { raw, model }: ExistingFolder,
): void {
  if (!model.tables.has(tableKey(table.schema, table.name))) return;
  const { file } =
    raw.tables.find((one) => one.schema === table.schema && one.name === table.name) ?? {};
  throw new CommandError('RG_DUPLICATE_TABLE', `${tableLabel(table)} has a file: ${file}`, {
    hint: 'change that file, or add rules by rowgate permission add',
    exitCode: 1,
  });
}

function noFolder(metadata: string): CommandError {
  return new CommandError('RG_FILE_UNREADABLE', `${metadata} has no roles.yaml`, {
    hint: 'run rowgate init first, or name the folder by --metadata',
    exitCode: 2,
  });
}

function refusal(message: string): CommandError {
  return new CommandError('RG_UNSUPPORTED_TABLE', message, { exitCode: 1 });
}
