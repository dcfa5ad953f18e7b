import { codePoint, unsafeCharacterIn } from './characters.ts';

/**
 * Escapes a text for one line of Markdown: every character that Markdown or HTML gives a meaning, and `@` and `#`, by
 * which GitHub notifies people and links issues.
 */
export function escapeMarkdown(text: string): string {
  const marks = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()!|~$]/g, '\\$&')
    .replaceAll('#', '&#35;')
    .replaceAll('@', '&#64;')
    .replaceAll('://', '&#58;//')
    .replaceAll('www.', 'www&#46;');
  return [...marks].map((one) => (unsafeCharacterIn(one) ? codePoint(one) : one)).join('');
}
