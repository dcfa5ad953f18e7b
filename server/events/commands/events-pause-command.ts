import { didYouMean, metadataOption } from '../../../permissions/index.ts';
import type { ServerCommand } from '../../cli/command-context.ts';
import { loadRules } from '../../cli/load-rules.ts';
import { pauseTrigger } from '../outbox/pause.ts';
import { usageError } from './event-options.ts';
import { withOutbox } from './with-outbox.ts';

/** `rowgate events pause` stops the deliveries of an event trigger. Its events are still recorded. */
export const eventsPauseCommand: ServerCommand = {
  name: 'events pause',
  summary: 'stop the deliveries of an event trigger; its events wait until it is resumed',
  positionals: [{ name: 'trigger', help: 'its name' }],
  options: metadataOption,
  run: async (options, [trigger = ''], context) => {
    const { events } = await loadRules(options, context);
    if (!events.has(trigger)) {
      const hint = didYouMean(trigger, events.keys()) ?? 'rowgate check shows mistakes in names';
      throw usageError(`the metadata has no event trigger "${trigger}"`, hint);
    }
    const { actor } = context;
    const isNew = await withOutbox(context, (client) => pauseTrigger(client, trigger, actor));
    context.print(
      isNew
        ? `${trigger} is paused; rowgate events resume ${trigger} delivers its events`
        : `${trigger} was already paused`,
    );
    return 0;
  },
};
