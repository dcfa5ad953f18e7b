import type { Format } from '../rendering/format.ts';

/** Returns the language of a document or mail. Its text is English, whatever the locale of its numbers. */
export function languageOf({ locale }: Pick<Format, 'locale'>): string {
  return /^en\b/i.test(locale) ? locale : 'en';
}
