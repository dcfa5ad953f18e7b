import type { ServerCommand } from '../../../../cli/command-context.ts';
import { onTerminal } from '../../../../mail/commands/with-outbox.ts';
import { jsonOption, providerOption, readFilter, readLimit } from './callback-options.ts';
import { type ListedCallback, listCallbacks, withInbox } from './callback-queries.ts';

/** `rowgate callbacks list` shows the callbacks of providers, the newest first. */
export const callbacksListCommand: ServerCommand = {
  name: 'callbacks list',
  summary: 'show the newest callbacks of providers, with their state and why they had no effect',
  options: {
    ...providerOption,
    state: {
      type: 'string',
      help: 'stored, done, ignored, unmatched (its wallet, card or person is not known), failed or malformed; default all',
    },
    limit: { type: 'string', default: '20', help: 'how many; default 20' },
    ...jsonOption,
  },
  run: async (options, _positionals, context) => {
    const filter = readFilter(options);
    const limit = readLimit(options.limit);
    const callbacks = await withInbox(context, (pool) => listCallbacks(pool, { ...filter, limit }));
    if (options.json === true) context.print(onTerminal(JSON.stringify({ callbacks }, null, 2)));
    else if (callbacks.length === 0) context.print('no callbacks');
    else for (const callback of callbacks) context.print(line(callback));
    return 0;
  },
};

function line({ id, receivedAt, provider, state, awaits, note }: ListedCallback): string {
  const waiting = state === 'unmatched' && awaits !== null ? [`waits for ${awaits}`] : [];
  return onTerminal(
    [
      id,
      receivedAt.toISOString(),
      provider,
      state,
      ...waiting,
      ...((note ?? '') ? [note] : []),
    ].join('  '),
  ).replaceAll('\n', ' ');
}
