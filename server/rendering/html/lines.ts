import { html, type Markup } from './markup.ts';

/** Texts below each other, each written in its own direction; empty ones are left out. */
export function lines(texts: readonly string[]): Markup {
  const shown = texts.filter((text) => text !== '');
  return html`${shown.map((text) => html`<span dir="auto">${text}</span>`)}`;
}
