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

export function textOf(row: ReminderRow, name: string): string {
  const value = row[name];
  return typeof value === 'string' ? value : '';
}
