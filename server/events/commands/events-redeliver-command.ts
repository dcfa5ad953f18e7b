import type { ServerCommand } from '../../cli/command-context.ts';
import { ProcessError } from '../../errors.ts';
import { redeliverEvent, redeliverEvents } from '../outbox/redeliver.ts';
import { filterOptions, readFilter, readId, usageError } from './event-options.ts';
import { noSuchEvent } from './no-such-event.ts';
import { withOutbox } from './with-outbox.ts';

/** `rowgate events redeliver` delivers an event again under the same id. */
export const eventsRedeliverCommand: ServerCommand = {
  name: 'events redeliver',
  summary: 'deliver a delivered or dead event again, or all of those that options choose',
  positionals: [{ name: 'id', help: 'its id, as events list shows it', optional: true }],
  options: {
    dead: { type: 'boolean', default: false, help: 'those that were given up, instead of one' },
    delivered: {
      type: 'boolean',
      default: false,
      help: 'those that were delivered, instead of one',
    },
    ...filterOptions,
  },
  run: async (options, [given], context) => {
    const filter = readFilter(options);
    const ways = [given !== undefined, options.dead === true, options.delivered === true];
    if (ways.filter(Boolean).length !== 1) {
      throw usageError('events redeliver takes either an id or --dead or --delivered', hint);
    }
    if (given !== undefined) {
      const extra = Object.entries(filter).find(([, value]) => value !== undefined);
      if (extra) throw usageError(`--${extra[0]} goes with --dead or --delivered`, hint);
      const id = readId(given);
      refuse(id, await withOutbox(context, (client) => redeliverEvent(client, id)));
      context.print(`event ${id} will be delivered again`);
      return 0;
    }
    const state = options.dead === true ? 'dead' : 'delivered';
    const count = await withOutbox(context, (client) =>
      redeliverEvents(client, { ...filter, state }),
    );
    context.print(`${count} ${count === 1 ? 'event' : 'events'} will be delivered again`);
    return 0;
  },
};

const hint = 'rowgate events redeliver --help shows the arguments';

function refuse(id: string, outcome: Awaited<ReturnType<typeof redeliverEvent>>): void {
  if (outcome === undefined) throw noSuchEvent(id);
  if (outcome === 'redelivered') return;
  throw new ProcessError('RG_USAGE', `event ${id} is already being delivered`, {
    hint: `rowgate events show ${id} shows its state`,
  });
}
