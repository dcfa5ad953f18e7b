/** Scripts of living languages that are written from right to left. */
const fromRight = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** Which way a language is written. A tag that is none is taken for a language that is written from left to right. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  try {
    return fromRight.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}
