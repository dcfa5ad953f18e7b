import { metadataOption, type Schedule } from '../../../permissions/index.ts';
import type { ServerCommand } from '../../cli/command-context.ts';
import { loadRules } from '../../cli/load-rules.ts';
import { nextOccurrence } from '../occurrence.ts';
import { markDeadRuns, type Run, readLastRuns } from '../run-store.ts';
import { onTerminal, withJobs } from './with-jobs.ts';

/** A schedule with its next time and its last run. */
interface Listed {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly does: string;
  readonly next: Date;
  readonly last: Run | null;
}

/** `rowgate jobs list` shows the schedules of the metadata. */
export const jobsListCommand: ServerCommand = {
  name: 'jobs list',
  summary: 'show the schedules with their next time and their last run',
  options: { json: { type: 'boolean', default: false, help: 'print JSON' }, ...metadataOption },
  run: async (options, _positionals, context) => {
    const { schedules } = await loadRules(options, context);
    const last = await withJobs(context, async (pool) => {
      await markDeadRuns(pool);
      return readLastRuns(pool, [...schedules.keys()]);
    });
    const jobs = [...schedules.values()].map((one) => listed(one, last.get(one.name)));
    if (options.json === true) context.print(JSON.stringify({ jobs }, null, 2));
    else if (jobs.length === 0) context.print('no schedules');
    else for (const job of jobs) context.print(onTerminal(line(job)));
    return 0;
  },
};

function listed(schedule: Schedule, last: Run | undefined): Listed {
  const { name, cron, timezone, run } = schedule;
  return {
    name,
    cron,
    timezone,
    does: run.kind === 'job' ? run.job : run.webhook,
    next: nextOccurrence(schedule, new Date()),
    last: last ?? null,
  };
}

function line({ name, cron, timezone, does, next, last }: Listed): string {
  return [
    name,
    `${cron} ${timezone}`,
    does,
    `next ${next.toISOString()}`,
    last === null ? 'never run' : `last ${last.startedAt.toISOString()} ${last.outcome}`,
  ].join('  ');
}
