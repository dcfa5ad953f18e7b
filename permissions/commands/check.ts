import { prepare } from '../apply/prepare.ts';
import { allFindings } from '../lint/all-findings.ts';
import type { Command } from './command.ts';
import {
  jsonOption,
  metadataOption,
  prepareOptions,
  tell,
  tellingMistakes,
  withSnapshot,
} from './session.ts';

/** `rowgate check`: every mistake and every warning, without a change to the database. */
export const check: Command = {
  name: 'check',
  summary: 'find mistakes in the metadata and weak places of the database; changes nothing',
  options: {
    ...metadataOption,
    ...jsonOption,
    strict: { type: 'boolean', default: false, help: 'exit 1 for warnings too' },
  },
  run: (options, _positionals, context) => {
    const json = options.json === true;
    return tellingMistakes(context, json, async () => {
      const wanted = await prepareOptions(options, context);
      const findings = await withSnapshot(context, async (client) =>
        allFindings(client, await prepare(client, wanted)),
      );
      if (!json && findings.length === 0) context.print('no findings');
      return tell(findings, context, { json, strict: options.strict === true });
    });
  },
};
