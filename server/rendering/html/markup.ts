/** HTML in which all inserted texts are escaped. Only `html` creates it from texts. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = string | number | Markup | readonly Markup[];

/**
 * Template tag that escapes inserted texts and numbers and inserts markup unchanged. Texts may be inserted only between
 * tags or in attribute values in double quotes, because escaping is not sufficient in other places.
 */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  let text = parts[0] ?? '';
  for (const [index, content] of contents.entries()) {
    text += `${textOf(content)}${parts[index + 1]}`;
  }
  return new Markup(text);
}

/** Empty markup. */
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

// HTML allows no control characters except tabs and line ends.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose
const special = /[&<>"'\0-\x08\v\f\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g;

function escapeText(text: string): string {
  return text.toWellFormed().replace(special, (character) => escapes[character] ?? '');
}
