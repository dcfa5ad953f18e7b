import type { Format } from '../rendering/format.ts';

/**
 * Returns the language tag of a document or mail. The text is always English; only numbers and dates follow the locale.
 */
export function languageOf({ locale }: Pick<Format, 'locale'>): string {
  return /^en\b/i.test(locale) ? locale : 'en';
}
