/**
 * Characters that no name may contain: control characters (including NUL), invisible characters, bidirectional
 * controls, and halves of surrogate pairs. Bidirectional controls make a text look different from its content. Half a
 * surrogate pair cannot be sent to Postgres in UTF-8.
 */
const unsafe =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff\\ud800-\\udfff';

/** A JSON Schema pattern (flag `u`) for names that can be shown and sent to Postgres unchanged. */
export const namePattern = `^[^${unsafe}]+$`;

const unsafeCharacter = new RegExp(`[${unsafe}]`, 'u');
const unsafeCharacters = new RegExp(`[${unsafe}]`, 'gu');

/** Returns the first character of `text` that a name may not hold, as text like `U+202E`. */
export function unsafeCharacterIn(text: string): string | undefined {
  const found = unsafeCharacter.exec(text)?.[0];
  return found && codePoint(found);
}

/** Returns one character as `U+202E`. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

const maxQuoteLength = 80;

/**
 * Puts text of a user in double quotes for a message. The result is one line with unsafe characters escaped, and is cut
 * after 80 characters of the text.
 */
export function quote(text: string): string {
  const cut = text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text;
  return shown(JSON.stringify(cut));
}

/**
 * Escapes unsafe characters of a text for a terminal or a log. Names in a database may hold escape sequences that would
 * control the terminal.
 */
export function shown(text: string): string {
  return text.replace(unsafeCharacters, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
