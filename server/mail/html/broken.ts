import { html, type Markup, nothing } from '../../rendering/html/markup.ts';

/** A text whose line ends stay: mail programs do not keep them by a style. */
export function broken(text: string): Markup {
  const lines = text.split(/\r\n|[\r\n]/);
  return html`${lines.map((line, index) => html`${index === 0 ? nothing : html`<br>`}${line}`)}`;
}
