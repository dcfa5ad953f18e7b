const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// XML 1.0 cannot contain these characters in any form: https://www.w3.org/TR/xml/#charsets
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches control characters
const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes a text for an XML element or attribute. Characters that XML cannot contain become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(unfit, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
