import { prepare } from '../apply/prepare.ts';
import { findDrift } from '../drift/find-drift.ts';
import { databaseFindings } from '../lint/database-findings.ts';
import { readAppliedObjects } from '../state/applied-objects.ts';
import type { Command } from './command.ts';
import { driftText } from './print-drift.ts';
import {
  jsonOption,
  metadataOption,
  prepareOptions,
  tellingMistakes,
  withSnapshot,
} from './session.ts';

/** `rowgate drift`: what somebody changed in the database since apply. Exit 0 for nothing, 1 for something. */
export const drift: Command = {
  name: 'drift',
  summary: "tell what was changed in the database behind Rowgate's back; exit 1 where anything was",
  options: {
    ...metadataOption,
    ...jsonOption,
    sql: { type: 'boolean', default: false, help: 'show the statements that put it right too' },
  },
  run: (options, _positionals, context) => {
    const json = options.json === true;
    return tellingMistakes(context, json, async () => {
      const wanted = await prepareOptions(options, context);
      return withSnapshot(context, async (client) => {
        const prepared = await prepare(client, wanted);
        const findings = await databaseFindings(client, prepared);
        const found = findDrift(prepared, findings, await readAppliedObjects(client));
        const drifted = !found.applied || found.differences.length > 0;
        const lines = driftText(found, options.sql === true ? prepared.plan : undefined);
        if (json) context.print(JSON.stringify({ drifted, ...found }, null, 2));
        else for (const line of lines) context.print(line);
        return drifted ? 1 : 0;
      });
    });
  },
};
