import type { ServerCommand } from '../../cli/command-context.ts';
import { readStats, type TriggerStats } from '../outbox/outbox-queries.ts';
import { jsonOption } from './event-options.ts';
import { withOutbox } from './with-outbox.ts';

/** `rowgate events stats` counts the stored events by trigger. */
export const eventsStatsCommand: ServerCommand = {
  name: 'events stats',
  summary: 'count the events of each trigger by state, and show the age of the oldest',
  options: jsonOption,
  run: async (options, _positionals, context) => {
    const triggers = await withOutbox(context, readStats);
    if (options.json === true) context.print(JSON.stringify({ triggers }, null, 2));
    else if (triggers.length === 0) context.print('no events');
    else for (const one of triggers) context.print(line(one));
    return 0;
  },
};

function line(stats: TriggerStats): string {
  const { trigger, pending, failed, delivered, dead, failures, oldestSeconds, pausedAt } = stats;
  return [
    trigger,
    `${pending} pending`,
    `${failed} failed, to be tried again`,
    ...(oldestSeconds === null ? [] : [`the oldest ${Math.round(oldestSeconds)} s old`]),
    `${delivered} delivered`,
    `${dead} dead`,
    `${failures} failed tries`,
    ...(pausedAt === null ? [] : [`paused since ${pausedAt.toISOString()}`]),
  ].join('  ');
}
