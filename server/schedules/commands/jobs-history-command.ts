import type { ServerCommand } from '../../cli/command-context.ts';
import { ProcessError } from '../../errors.ts';
import { markDeadRuns, type Run, readHistory } from '../run-store.ts';
import { onTerminal, withJobs } from './with-jobs.ts';

/** `rowgate jobs history` shows past runs of schedules. */
export const jobsHistoryCommand: ServerCommand = {
  name: 'jobs history',
  summary: 'show the last runs of schedules with their results or errors',
  options: {
    name: { type: 'string', help: 'only runs of this schedule' },
    limit: { type: 'string', default: '50', help: 'maximum number' },
    json: { type: 'boolean', default: false, help: 'print JSON' },
  },
  run: async (options, _positionals, context) => {
    const name = typeof options.name === 'string' ? options.name : undefined;
    const limit = readLimit(options.limit);
    const runs = await withJobs(context, async (pool) => {
      await markDeadRuns(pool);
      return readHistory(pool, name, { limit });
    });
    if (options.json === true) context.print(JSON.stringify({ runs }, null, 2));
    else if (runs.length === 0) context.print('no runs');
    else for (const run of runs) context.print(onTerminal(line(run)));
    return 0;
  },
};

function line({ name, scheduledFor, startedAt, finishedAt, outcome, detail }: Run): string {
  const seconds = finishedAt && (finishedAt.getTime() - startedAt.getTime()) / 1000;
  return [
    startedAt.toISOString(),
    name,
    outcome,
    scheduledFor === null ? 'on request' : `for ${scheduledFor.toISOString()}`,
    ...(seconds === null ? [] : [`${seconds} s`]),
    JSON.stringify(detail),
  ].join('  ');
}

function readLimit(given: unknown): number {
  const limit = /^\d{1,6}$/.test(String(given)) ? Number(given) : 0;
  if (limit > 0) return limit;
  const problem = `--limit is "${String(given)}"; it must be a whole number from 1 to 999999`;
  const hint = 'rowgate jobs history --help shows the options';
  throw new ProcessError('RG_USAGE', problem, { hint, exitCode: 2 });
}
