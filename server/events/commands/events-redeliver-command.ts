import type { ServerCommand } from '../../cli/command-context.ts';
import { ProcessError } from '../../errors.ts';
import { redeliverDead, redeliverEvent } from '../outbox/redeliver.ts';
import { readId, readTrigger, triggerOption, usageError } from './event-options.ts';
import { noSuchEvent } from './no-such-event.ts';
import { withOutbox } from './with-outbox.ts';

/** `rowgate events redeliver` delivers an event again under the same id. */
export const eventsRedeliverCommand: ServerCommand = {
  name: 'events redeliver',
  summary: 'deliver a delivered or dead event again, or all dead events',
  positionals: [{ name: 'id', help: 'its id, as events list shows it', optional: true }],
  options: {
    dead: { type: 'boolean', default: false, help: 'all that were given up, instead of one' },
    ...triggerOption,
  },
  run: async (options, [given], context) => {
    const trigger = readTrigger(options.trigger);
    if ((given === undefined) !== (options.dead === true)) {
      throw usageError('events redeliver takes either an id or --dead', hint);
    }
    if (given !== undefined) {
      if (trigger !== undefined) throw usageError('--trigger goes with --dead', hint);
      const id = readId(given);
      refuse(id, await withOutbox(context, (client) => redeliverEvent(client, id)));
      context.print(`event ${id} will be delivered again`);
      return 0;
    }
    const count = await withOutbox(context, (client) => redeliverDead(client, trigger));
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
