import { html, type Markup, nothing } from '../../rendering/html/markup.ts';

/**
 * Converts line ends into `<br>`. Documents preserve them by `white-space: pre-line`, which mail programs do not
 * support.
 */
export function withLineBreaks(text: string): Markup {
  const lines = text.split(/\r\n|[\r\n]/);
  return html`${lines.map((line, index) => html`${index === 0 ? nothing : html`<br>`}${line}`)}`;
}
