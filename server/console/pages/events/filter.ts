import type { Values } from '../shell/place.ts';
import { stateWords, timeWords } from './words.ts';

const names = ['trigger', 'state', 'since', 'until', 'status'] as const;

/** The filter of the list, as the address has it. */
export type Filter = Readonly<Partial<Record<(typeof names)[number], string>>>;

export function filterOf(values: Values): Filter {
  return Object.fromEntries(
    names.flatMap((name) => (values[name] ? [[name, values[name]] as const] : [])),
  );
}

/** Returns which events the filter chooses, in words. */
export function filterWords({ trigger, state, since, until, status }: Filter): string {
  const parts = [
    trigger && `of ${trigger}`,
    state && (stateWords as Readonly<Record<string, string>>)[state],
    status && (status === 'none' ? 'whose last try had no answer' : `last answered ${status}`),
    since && `recorded from ${timeWords(since)}`,
    until && `${since ? '' : 'recorded '}until ${timeWords(until)}`,
  ];
  return parts.filter(Boolean).join(', ') || 'all';
}

/** Returns an instant as the value of a field of the type datetime-local, in the time zone of the browser. */
export function localOf(iso: string | undefined): string {
  if (!iso) return '';
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns the instant of such a field; undefined for an empty one. */
export function instantOf(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString();
}
