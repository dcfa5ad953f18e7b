import type { Command } from '../../../permissions/index.ts';
import { ProcessError } from '../../errors.ts';
import { type EventFilter, type EventState, eventStates } from '../outbox/event-filter.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const maxListed = 100_000;

/** The option for JSON output of several commands. */
export const jsonOption = {
  json: { type: 'boolean', default: false, help: 'print JSON' },
} as const satisfies Command['options'];

export const triggerOption = {
  trigger: { type: 'string', help: 'name of an event trigger; default all' },
} as const satisfies Command['options'];

/** Options that choose events. */
export const filterOptions = {
  ...triggerOption,
  since: {
    type: 'string',
    help: 'only changes from this time on, such as 2026-03-01 or 2026-03-01T12:00Z',
  },
  until: { type: 'string', help: 'only changes before this time' },
  status: {
    type: 'string',
    help: 'HTTP status of the last answer, such as 503; none: the last try had no answer',
  },
} as const satisfies Command['options'];

/** Reads the options of `filterOptions`. @throws ProcessError RG_USAGE, exit 2 */
export function readFilter(options: Readonly<Record<string, unknown>>): EventFilter {
  return {
    trigger: readTrigger(options.trigger),
    since: readTime('since', options.since),
    until: readTime('until', options.until),
    status: readStatus(options.status),
  };
}

/** Returns a time in ISO 8601. A day without a time begins in UTC. */
function readTime(name: string, given: unknown): string | undefined {
  if (given === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d(T.+)?$/.test(String(given)) ? new Date(String(given)) : undefined;
  if (time && !Number.isNaN(time.getTime())) return time.toISOString();
  throw usageError(`--${name} is "${given}"`, 'write a time like 2026-03-01 or 2026-03-01T12:00Z');
}

function readStatus(given: unknown): string | undefined {
  if (given === undefined || /^([1-5]\d\d|none)$/.test(String(given))) {
    return given === undefined ? undefined : String(given);
  }
  throw usageError(`--status is "${given}"`, 'it must be an HTTP status such as 503, or none');
}

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
