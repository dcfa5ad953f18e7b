/** The right-to-left scripts of living languages. */
const fromRight = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/** Returns the writing direction of a language; left to right for an invalid language tag. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  try {
    return fromRight.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}
