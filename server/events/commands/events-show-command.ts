import type { ServerCommand } from '../../cli/command-context.ts';
import { findEvent, type ShownAttempt, type ShownEvent } from '../outbox/outbox-queries.ts';
import { jsonOnTerminal, jsonOption, onTerminal, readId } from './event-options.ts';
import { noSuchEvent } from './no-such-event.ts';
import { withOutbox } from './with-outbox.ts';

/** `rowgate events show` shows one event with all of its details. */
export const eventsShowCommand: ServerCommand = {
  name: 'events show',
  summary: 'show an event with its data and every try to deliver it',
  positionals: [{ name: 'id', help: 'its id, as events list shows it' }],
  options: jsonOption,
  run: async (options, [given = ''], context) => {
    const id = readId(given);
    const event = await withOutbox(context, (client) => findEvent(client, id));
    if (!event) throw noSuchEvent(id);
    const lines = options.json === true ? [asJson(event)] : describe(event);
    for (const one of lines) context.print(one);
    return 0;
  },
};

/** Inserts the data as the text from Postgres, because its numbers can have more digits than JavaScript's. */
function asJson({ data, ...event }: ShownEvent): string {
  return `${JSON.stringify(event, null, 2).slice(0, -2)},\n  "data": ${data}\n}`;
}

function describe(event: ShownEvent): string[] {
  const { attempts, deliveredAt, deadAt, orderKey, reason, relayedAt, sessionVariables } = event;
  const time = (at: Date | null) => at?.toISOString() ?? 'not yet';
  return [
    `event       ${event.id}`,
    `trigger     ${event.trigger}`,
    `fired by    ${event.op} ${onTerminal(event.table)} at ${event.createdAt.toISOString()}`,
    `state       ${event.state}`,
    `in queue    ${time(relayedAt)}`,
    ...(deliveredAt ? [`delivered   ${time(deliveredAt)}`] : []),
    ...(deadAt ? [`given up    ${time(deadAt)}: ${onTerminal(reason ?? '')}`] : []),
    ...(orderKey === null ? [] : [`order key   ${onTerminal(orderKey)}`]),
    `session     ${jsonOnTerminal(JSON.stringify(sessionVariables))}`,
    `data        ${jsonOnTerminal(event.data)}`,
    attempts.length === 0 ? 'not tried yet' : 'tries:',
    ...attempts.map(tryLine),
  ];
}

function tryLine({ number, at, status, durationMs, excerpt, error }: ShownAttempt): string {
  const texts = [error, excerpt].filter((one) => one !== null).map(onTerminal);
  return [
    `  ${number}`,
    at.toISOString(),
    status ?? 'no answer',
    `${durationMs} ms`,
    ...texts,
  ].join('  ');
}
