import type { Format } from '../../../rendering/format.ts';
import { nameToGreet } from '../name-to-greet.ts';
import type { ReminderRow } from './remind-all.ts';

/** A recipient of a mail. */
export interface Contact {
  readonly email: string;
  readonly name: string | null;
}

export function contactsOf(row: ReminderRow): readonly Contact[] {
  return row.contacts as readonly Contact[];
}

/** Greets a single recipient by name. */
export function greeting(contacts: readonly Contact[]): string {
  const [only, another] = contacts;
  const name = another ? undefined : nameToGreet(only?.name);
  return name ? `Dear ${name},` : 'Dear customer,';
}

/** Returns the language of a mail. Its text is English, whatever the locale of its numbers. */
export function languageOf({ locale }: Format): string {
  return /^en\b/i.test(locale) ? locale : 'en';
}

export function textOf(row: ReminderRow, name: string): string {
  const value = row[name];
  return typeof value === 'string' ? value : '';
}
