/** Currency signs that fonts often lack, and what banks write for them. */
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

/** Line ends of all kinds. */
const lineEnd = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g;
/** Spaces at which a line may be broken; no-break spaces are none of them. */
const spaces = /[\t \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]+/g;
/** Controls and what is not to be seen; joiners stay, since Persian and Indic words are written with them. */
const invisible = /\p{Cc}|\p{Cf}|\p{Variation_Selector}/gu;
const shown = /^[\n\u200c\u200d]$/;
/** No script sets more marks on a letter (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format). */
const excessMarks = /([\p{M}\u200c\u200d]{30})[\p{M}\u200c\u200d]+/gu;

/** Nothing to be done: Latin letters in their usual form, which every font has, and no two spaces in a row. */
const usual = /^(?: ?[!-~\u00a1-\u00ac\u00ae-\u017f\u20ac])* ?$/;

/** What of a text can be printed with a font that covers the characters for which `covers` holds. */
export function printable(text: string, covers: (codePoint: number) => boolean): string {
  if (usual.test(text)) return text;
  const plain = text
    .toWellFormed()
    .replace(lineEnd, '\n')
    .replace(spaces, ' ')
    .replace(invisible, (character) => (shown.test(character) ? character : ''))
    // Before marks are put in order, which takes long for very many.
    .replace(excessMarks, '$1')
    .normalize('NFC');
  let result = '';
  for (const character of plain) {
    const known = character === '\n' || covers(character.codePointAt(0) ?? 0);
    result += known ? character : replacement(character, covers);
  }
  return result;
}

/** The code of a currency, letters that make up the character, or else its number: nothing goes unnoticed. */
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
