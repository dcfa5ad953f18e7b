import { html, type Markup } from './markup.ts';

/** Renders texts as lines, each in its own writing direction. Omits empty texts. */
export function lines(texts: readonly string[]): Markup {
  const shown = texts.filter((text) => text !== '');
  return html`${shown.map((text) => html`<span dir="auto">${text}</span>`)}`;
}
