import type { Diagnostic } from '../diagnostics.ts';
import { markAccepted, unusedAcceptances } from '../lint/accepted-findings.ts';
import { allFindings, offlineFindings } from '../lint/all-findings.ts';
import { listedOperations } from '../lint/listed-operations.ts';
import { seeAsOwner } from '../rights/closed-installation.ts';
import { missingRightsToApply } from '../rights/missing-rights.ts';
import type { Command, CommandContext } from './context/command.ts';
import { withSnapshot } from './context/connection.ts';
import { printFindings, printMistakes } from './context/findings.ts';
import { loadedOffline } from './context/loaded-model.ts';
import { jsonOption, metadataOption, prepareOptions } from './context/options.ts';

/** `rowgate check` reports every mistake and every warning. It does not change the database. */
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
  },
  run: (options, _positionals, context) => {
    const json = options.json === true;
    return printMistakes(context, json, async () => {
      const findings = await findingsOf(options, context);
      if (!json && findings.length === 0) context.print('no findings');
      return printFindings(findings, context, { json, strict: options.strict === true });
    });
  },
};

async function findingsOf(
  options: Readonly<Record<string, unknown>>,
  context: CommandContext,
): Promise<readonly Diagnostic[]> {
  if (typeof options.catalog === 'string') {
    return offlineFindings(await loadedOffline(options.catalog, options, context));
  }
  const prepareWith = await prepareOptions(options, context);
  return withSnapshot(context, async (client) => {
    const seen = await seeAsOwner(client, prepareWith);
    const missing = await missingRightsToApply(client, seen);
    const { model, accepted } = seen.loaded;
    const listed = await listedOperations(model, context.findUnrunnable);
    const found = [...(await allFindings(client, seen)), ...markAccepted(listed, accepted)];
    return [...missing, ...found, ...unusedAcceptances(found, accepted)];
  });
}
