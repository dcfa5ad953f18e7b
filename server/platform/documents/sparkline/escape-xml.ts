const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// XML 1.0 cannot hold them in any form: https://www.w3.org/TR/xml/#charsets
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A text as it may stand in an element or an attribute; what XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(unfit, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
