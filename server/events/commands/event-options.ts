import type { Command } from '../../../permissions/index.ts';
import { ProcessError } from '../../errors.ts';
import { type EventState, eventStates } from '../outbox/outbox-queries.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const maxListed = 100_000;

/** The option for JSON output of several commands. */
export const jsonOption = {
  json: { type: 'boolean', default: false, help: 'print JSON' },
} as const satisfies Command['options'];

export const triggerOption = {
  trigger: { type: 'string', help: 'name of an event trigger; default all' },
} as const satisfies Command['options'];

/** Reads the id of an event. @throws ProcessError RG_USAGE, exit 2 */
export function readId(text: string): string {
  if (uuid.test(text)) return text.toLowerCase();
  throw usageError(`"${text}" is not the id of an event`, 'rowgate events list shows the ids');
}

/** @throws ProcessError RG_USAGE, exit 2 */
export function readState(state: unknown): EventState | undefined {
  if (state === undefined) return undefined;
  const found = eventStates.find((one) => one === state);
  if (found) return found;
  throw usageError(`--state is "${state}"`, `the states are ${eventStates.join(', ')}`);
}

/** @throws ProcessError RG_USAGE, exit 2 */
export function readLimit(limit: unknown): number {
  const count = /^[1-9]\d{0,5}$/.test(String(limit)) ? Number(limit) : Number.NaN;
  if (count <= maxListed) return count;
  throw usageError(`--limit is "${limit}"`, `it must be a whole number from 1 to ${maxListed}`);
}

export function readTrigger(trigger: unknown): string | undefined {
  return trigger === undefined ? undefined : String(trigger);
}

export function usageError(message: string, hint: string): ProcessError {
  return new ProcessError('RG_USAGE', message, { hint, exitCode: 2 });
}

/** Removes control characters, because an answer of a receiver may contain any text. */
export function onTerminal(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Escapes control characters in JSON for a terminal. The value stays the same. */
export function jsonOnTerminal(json: string): string {
  const hex = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
  return json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_half, at) => hex(character.charCodeAt(at))).join(''),
  );
}
