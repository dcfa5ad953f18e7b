import type { ServerCommand } from '../../../../cli/command-context.ts';
import { mask } from '../../../../log/mask-text.ts';
import { secretNameParts } from '../../../../log/secret-names.ts';
import { onTerminal } from '../../../../mail/commands/with-outbox.ts';
import { jsonOption, noSuchCallback, readId } from './callback-options.ts';
import { findCallback, type ShownCallback, withInbox } from './callback-queries.ts';

/** `rowgate callbacks show` shows one callback with its payload. */
export const callbacksShowCommand: ServerCommand = {
  name: 'callbacks show',
  summary: 'show a callback with its payload, in which secrets are masked by their names',
  positionals: [{ name: 'id', help: 'its id, as callbacks list shows it' }],
  options: jsonOption,
  run: async (options, [given = ''], context) => {
    const id = readId(given);
    const callback = await withInbox(context, (pool) => findCallback(pool, id));
    if (!callback) throw noSuchCallback(id);
    const payload = callback.payload === null ? null : maskPayload(callback.payload);
    if (options.json === true) {
      context.print(onTerminal(JSON.stringify({ ...callback, payload }, null, 2)));
    } else for (const one of describe(callback, payload)) context.print(onTerminal(one));
    return 0;
  },
};

function describe(callback: ShownCallback, payload: unknown): string[] {
  const { id, provider, state, receivedAt, settledAt, awaits, note, key, bytes } = callback;
  const content =
    payload === null
      ? `payload     none: the body of ${bytes} bytes is invalid; the column body of rowgate_webhooks.inbox holds it`
      : `payload     ${JSON.stringify(payload, null, 2).replaceAll('\n', '\n            ')}`;
  return [
    `callback    ${id}`,
    `provider    ${provider}`,
    `state       ${state}`,
    ...(note === null ? [] : [`note        ${note}`]),
    ...(awaits === null
      ? []
      : [`waits for   ${awaits}${state === 'unmatched' ? '' : ' (no longer)'}`]),
    `came in     ${receivedAt.toISOString()}`,
    `settled     ${settledAt?.toISOString() ?? 'not yet'}`,
    `key         ${key}`,
    content,
  ];
}

/**
 * Names of members whose values are masked. The list is longer than for log lines, because payloads may contain card
 * data.
 */
const secretName = new RegExp(
  `${secretNameParts}|passcode|authorization|cookie|api_?-?key|private_?-?key|cardnumber|card_number|^pan$|^cvv|^cvc|^pin$|^otp$`,
  'i',
);

/** Keeps the digits of numbers. The types of the standard library do not contain this function yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Parses a payload for display and masks members with secret names, at any depth. */
function maskPayload(json: string): unknown {
  const revive = (key: string, value: unknown, { source }: { readonly source?: string }) => {
    if (secretName.test(key)) return mask;
    return typeof value === 'number' && source !== undefined ? rawJSON(source) : value;
  };
  return JSON.parse(json, revive as (key: string, value: unknown) => unknown);
}
