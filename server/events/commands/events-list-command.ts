import type { ServerCommand } from '../../cli/command-context.ts';
import { type ListedEvent, listEvents } from '../outbox/outbox-queries.ts';
import {
  filterOptions,
  jsonOption,
  onTerminal,
  readFilter,
  readLimit,
  readState,
} from './event-options.ts';
import { withOutbox } from './with-outbox.ts';

/** `rowgate events list` shows captured events, the newest first. */
export const eventsListCommand: ServerCommand = {
  name: 'events list',
  summary: 'show the newest events with their state and how often they were tried',
  options: {
    ...filterOptions,
    state: {
      type: 'string',
      help: 'pending, failed (will be retried), delivered or dead; default all',
    },
    limit: { type: 'string', default: '20', help: 'how many; default 20' },
    ...jsonOption,
  },
  run: async (options, _positionals, context) => {
    const limit = readLimit(options.limit);
    const filter = { ...readFilter(options), state: readState(options.state) };
    const events = await withOutbox(context, (client) => listEvents(client, filter, { limit }));
    if (options.json === true) context.print(JSON.stringify({ events }, null, 2));
    else if (events.length === 0) context.print('no events');
    else for (const event of events) context.print(line(event));
    return 0;
  },
};

function line({ id, createdAt, trigger, table, op, state, tries, reason }: ListedEvent): string {
  return [
    id,
    createdAt.toISOString(),
    trigger,
    `${op} ${onTerminal(table)}`,
    state,
    ...(tries === 0 ? [] : [tries === 1 ? '1 try' : `${tries} tries`]),
    ...(reason === null ? [] : [onTerminal(reason)]),
  ].join('  ');
}
