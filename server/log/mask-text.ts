import { secretNameParts } from './secret-names.ts';

/** The replacement for a secret. */
export const mask = '[secret]';

const texts: readonly (readonly [RegExp, string])[] = [
  // The password of a URL, up to the last @ before its path.
  [/(\/\/[^\s/?#@:"\\]*:)[^\s/?#"\\]+@/g, `$1${mask}@`],
  // Credentials in a query string or a fragment.
  [
    new RegExp(
      `([?&#][\\w.-]*(?:${secretNameParts}|sig|pwd|key|code|assertion|jwt)=)[^&\\s#"'\\\\]+`,
      'gi',
    ),
    `$1${mask}`,
  ],
  [/\b(Bearer|Basic) +[\w.~+/=-]{16,}/gi, `$1 ${mask}`],
  // An error of Node quotes a header value that it cannot send, and that value may be a secret. The quotation mark is
  // escaped when the error is part of a JSON string.
  [
    /(Headers\.\w+: )(?:"[\s\S]{0,8192}?"|(?:[^"\\]|\\.){0,8192}?) is an invalid header value/g,
    `$1${mask} is an invalid header value`,
  ],
];

/** Masks secrets inside texts, because error messages of libraries may quote them. A line of JSON stays valid JSON. */
export function maskText(text: string): string {
  return texts.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text);
}
