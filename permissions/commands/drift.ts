import { driftOf } from '../drift/inspect-drift.ts';
import type { Command } from './context/command.ts';
import { withPrepared } from './context/findings.ts';
import { jsonOption, metadataOption } from './context/options.ts';
import { driftText } from './print/print-drift.ts';

/**
 * `rowgate drift` reports changes of the database that were made without Rowgate since the last apply. Exit code 1: the
 * database has such changes.
 */
export const drift: Command = {
  name: 'drift',
  summary: 'report changes made to the database without Rowgate; exit 1 if there are any',
  options: {
    ...metadataOption,
    ...jsonOption,
    sql: { type: 'boolean', default: false, help: 'show the statements that put it right too' },
  },
  run: (options, _positionals, context) =>
    withPrepared(options, context, async (client, prepared) => {
      const found = await driftOf(client, prepared);
      const drifted = !found.applied || found.differences.length > 0;
      const lines = driftText(found, options.sql === true ? prepared.plan : undefined);
      if (options.json === true) context.print(JSON.stringify({ drifted, ...found }, null, 2));
      else for (const line of lines) context.print(line);
      return drifted ? 1 : 0;
    }),
};
