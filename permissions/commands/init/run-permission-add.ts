import { readFile } from 'node:fs/promises';
import { Catalog, tableKey } from '../../catalog/catalog.ts';
import { inspectCatalog } from '../../catalog/inspect-catalog.ts';
import type { CatalogTable } from '../../catalog/types.ts';
import { CommandError } from '../../errors.ts';
import { addRule, type NewRule, ruleText } from '../../init/add-rule.ts';
import { type ExistingFolder, readExisting } from '../../init/existing-folder.ts';
import { closedRule } from '../../init/rule-skeletons.ts';
import { tableLabel, tableNamed } from '../../init/table-label.ts';
import { replaceFile } from '../../init/write-new-files.ts';
import type { RawTable } from '../../metadata/schemas/tables/table.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import { type Operation, operations } from '../../types/rules.ts';
import type { CommandContext, ExitCode } from '../context/command.ts';
import { withSnapshot } from '../context/connection.ts';
import { modelOptions } from './run-init.ts';

interface Words {
  readonly role: string;
  readonly table: string;
  readonly command: string;
}

/**
 * Writes the rule.
 * @throws CommandError when the table, the role or the command is unknown, or the rule exists
 */
export async function runPermissionAdd(
  words: Words,
  metadata: string,
  context: CommandContext,
): Promise<ExitCode> {
  const command = knownCommand(words.command);
  const { file, added } = await propose({ ...words, command }, metadata, context);
  const changed = addRule(await readFile(file, 'utf8'), added);
  if (changed === undefined) {
    context.printError(`${file} has a form that cannot be extended; write the rule by hand:`);
    context.printError(ruleText(added).trimEnd());
    return 1;
  }
  await replaceFile('', { path: file, text: changed });
  context.print(`added ${command} for ${words.role} to ${file}`);
  context.print('it opens no row until you replace { _not: {} } by a condition');
  return 0;
}

async function propose(
  words: Words & { readonly command: Operation },
  metadata: string,
  context: CommandContext,
): Promise<{ readonly file: string; readonly added: NewRule }> {
  const { role, command } = words;
  return withSnapshot(context, async (client) => {
    const catalog = new Catalog(await inspectCatalog(client));
    const existing = await readExisting(metadata, catalog, modelOptions(catalog, context));
    refuseUnknownRole(role, existing);
    const raw = trackedTable(words.table, existing, catalog);
    refuseExisting(raw, words);
    const table = catalog.tables.get(tableKey(raw.schema, raw.name));
    const rule = table && closedRule(command, table);
    if (rule) return { file: raw.file, added: { role, command, rule } };
    const problem = table ? `has no column for ${command}` : 'does not exist in the database';
    throw new CommandError('RG_UNSUPPORTED_TABLE', `${tableLabel(raw)} ${problem}`, {
      exitCode: 1,
    });
  });
}

function knownCommand(written: string): Operation {
  const found = operations.find((one) => one === written);
  if (found) return found;
  throw new CommandError('RG_USAGE', `there is no command ${quote(written)}`, {
    hint: didYouMean(written, operations) ?? `write ${operations.join(', ')}`,
    exitCode: 2,
  });
}

function refuseUnknownRole(role: string, { raw }: ExistingFolder): void {
  const names = raw.roles.map(({ name }) => name);
  if (names.includes(role)) return;
  throw new CommandError('RG_UNKNOWN_ROLE', `roles.yaml has no role ${quote(role)}`, {
    hint: didYouMean(role, names) ?? 'add it to roles.yaml first',
    exitCode: 2,
  });
}

function trackedTable(written: string, { raw }: ExistingFolder, catalog: Catalog): RawTable {
  const found = tableNamed(written, raw.tables);
  if (found) return found;
  const inDatabase: CatalogTable | undefined = tableNamed(written, catalog.data.tables);
  throw new CommandError('RG_UNKNOWN_TABLE', `no file is about the table ${quote(written)}`, {
    hint: inDatabase
      ? 'run rowgate track with the table first'
      : didYouMean(written, raw.tables.map(tableLabel)),
    exitCode: 2,
  });
}

function refuseExisting({ permissions, file }: RawTable, { role, command }: Words): void {
  const rules = permissions.find((one) => one.role.name === role);
  const rule = rules?.[command as Operation];
  if (!rule) return;
  const place = `${file}:${rule.position.line}`;
  throw new CommandError('RG_USAGE', `${role} has a rule for ${command}: ${place}`, {
    hint: 'change that rule',
    exitCode: 1,
  });
}
