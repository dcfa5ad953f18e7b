import type { ServerCommand } from '../../cli/command-context.ts';
import { resumeTrigger } from '../outbox/pause.ts';
import { onTerminal } from './event-options.ts';
import { withOutbox } from './with-outbox.ts';

/** `rowgate events resume` ends the pause of an event trigger, also of one that the metadata no longer has. */
export const eventsResumeCommand: ServerCommand = {
  name: 'events resume',
  summary: 'deliver the events of a paused event trigger',
  positionals: [{ name: 'trigger', help: 'its name, as events stats shows it' }],
  options: {},
  run: async (_options, [trigger = ''], context) => {
    const wasPaused = await withOutbox(context, (client) => resumeTrigger(client, trigger));
    const outcome = wasPaused ? 'is resumed; its events are delivered' : 'was not paused';
    context.print(`${onTerminal(trigger)} ${outcome}`);
    return wasPaused ? 0 : 1;
  },
};
