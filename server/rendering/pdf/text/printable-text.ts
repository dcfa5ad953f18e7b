/** Currency signs that fonts often lack, with their ISO 4217 or usual codes. */
const currencyCodes: Readonly<Record<string, string>> = {
  '\u20bf': 'BTC',
  '\u20be': 'GEL',
  '\u20bc': 'AZN',
  '\u20c0': 'KGS',
  '\u058f': 'AMD',
  '\u060b': 'AFN',
  '\u09f3': 'BDT',
  '\ufdfc': 'IRR',
};

/** All kinds of line ends. */
const lineEnd = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g;
/** Spaces at which a line may be broken, without no-break spaces. */
const spaces = /[\t \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]+/g;
/** Control and invisible characters. */
const invisible = /\p{Cc}|\p{Cf}|\p{Variation_Selector}/gu;
/** Invisible characters that are not removed: line ends, and the joiners that Persian and Indic words need. */
const preserved = /^[\n\u200c\u200d]$/;
/**
 * More combining marks on a letter than any language uses
 * (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format).
 */
const excessMarks = /([\p{M}\u200c\u200d]{30})[\p{M}\u200c\u200d]+/gu;

/** Texts that need no change: Latin characters in normalized form, which every font has, and no double spaces. */
const usual = /^(?: ?[!-~\u00a1-\u00ac\u00ae-\u017f\u20ac])* ?$/;

/**
 * Normalizes a text for printing and replaces characters that the font lacks. @param covers whether the font has a
 * character
 */
export function printable(text: string, covers: (codePoint: number) => boolean): string {
  if (usual.test(text)) return text;
  const plain = text
    .toWellFormed()
    .replace(lineEnd, '\n')
    .replace(spaces, ' ')
    .replace(invisible, (character) => (preserved.test(character) ? character : ''))
    // Removed before normalization, which takes very long when a letter has thousands of combining marks.
    .replace(excessMarks, '$1')
    .normalize('NFC');
  let result = '';
  for (const character of plain) {
    const known = character === '\n' || covers(character.codePointAt(0) ?? 0);
    result += known ? character : replacement(character, covers);
  }
  return result;
}

/**
 * Returns a replacement: a currency code, the decomposed character, or its code point, so that nothing is lost
 * silently.
 */
function replacement(character: string, covers: (codePoint: number) => boolean): string {
  if (character === '\u200c' || character === '\u200d') return '';
  const code = currencyCodes[character];
  if (code !== undefined) return code;
  const parts = [...character.normalize('NFKD')];
  const apart = parts.length > 1 || parts[0] !== character;
  if (apart && parts.every((part) => covers(part.codePointAt(0) ?? 0))) return parts.join('');
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `[U+${number}]`;
}
