/** Text of a page in which everything from outside is escaped. Made by `html` alone. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = string | number | Markup | readonly Markup[];

/**
 * Markup around contents: texts and numbers are escaped, markup stands as it is. A text may stand between tags, or in
 * an attribute's value between double quotes; nowhere else, since no escaping makes it harmless there.
 */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let text = parts[0] ?? '';
  for (const [index, content] of contents.entries()) {
    text += `${textOf(content)}${parts[index + 1]}`;
  }
  return new Markup(text);
}

/** Nothing at all. */
export const nothing: Markup = html``;

function textOf(content: Content): string {
  if (typeof content === 'string') return escapeText(content);
  if (content instanceof Markup) return content.text;
  if (typeof content === 'number') return String(content);
  return content.map(({ text }) => text).join('');
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// Control characters are no text in HTML, but for tabs and line ends.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are looked for
const special = /[&<>"'\0-\x08\v\f\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g;

function escapeText(text: string): string {
  return text.toWellFormed().replace(special, (character) => escapes[character] ?? '');
}
