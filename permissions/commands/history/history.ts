import { readHistory } from '../../apply/history/apply-history.ts';
import { CommandError } from '../../errors.ts';
import type { Command, ExitCode } from '../context/command.ts';
import { withSnapshot } from '../context/connection.ts';
import { jsonOption } from '../context/options.ts';
import { historyText } from './history-text.ts';

/** `rowgate history` lists the recorded applies. */
export const history: Command = {
  name: 'history',
  summary: 'list every apply: when, by whom, from which commit, and what it changed for whom',
  options: {
    limit: { type: 'string', default: '20', help: 'at most this many, newest first' },
    ...jsonOption,
  },
  run: (options, _positionals, context) =>
    withSnapshot<ExitCode>(context, async (client) => {
      const limit = Number(/^[1-9]\d{0,5}$/.exec(String(options.limit))?.[0]);
      if (Number.isNaN(limit)) {
        throw new CommandError('RG_USAGE', '--limit must be a whole number from 1 to 999999', {
          exitCode: 2,
        });
      }
      const records = (await readHistory(client, limit)) ?? [];
      if (options.json === true) context.print(JSON.stringify(records, null, 2));
      else for (const line of historyText(records)) context.print(line);
      return 0;
    }),
};
