/**
 * Characters that no name may hold: controls (NUL among them), bidirectional controls, which make text read
 * otherwise than it is, invisible ones, and halves of surrogate pairs, which UTF-8 cannot carry to Postgres.
 */
const unsafe =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff\\ud800-\\udfff';

/** The pattern of JSON Schema (flag `u`) for a name that can be shown and sent to Postgres as it is. */
export const namePattern = `^[^${unsafe}]+$`;

const unsafeCharacter = new RegExp(`[${unsafe}]`, 'u');
const unsafeCharacters = new RegExp(`[${unsafe}]`, 'gu');

/** The first character of `text` that a name may not hold, as `U+202E`. */
export function unsafeCharacterIn(text: string): string | undefined {
  const found = unsafeCharacter.exec(text)?.[0];
  return found && codePoint(found);
}

/** `U+202E` for one character. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

const longestQuote = 80;

/** User text in double quotes for a message: on one line, no unsafe character left as it is, and cut where it is long. */
export function quote(text: string): string {
  const cut = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;
  return shown(JSON.stringify(cut));
}

/** Text for a terminal or a log, on one line: names of a database may hold what commands either of them. */
export function shown(text: string): string {
  return text.replace(unsafeCharacters, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
