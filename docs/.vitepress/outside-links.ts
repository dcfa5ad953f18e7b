import path from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** Pages link to sources of the repository, which are not on the site. On the site, such a link becomes plain text. */
export function textForOutsideLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('outside-links', ({ tokens, env }) => {
    const folder = path.dirname((env as { readonly relativePath: string }).relativePath);
    for (const { children } of tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') isOutside = leavesSite(token.attrGet('href'), folder);
        if (!isOutside || !token.type.startsWith('link_')) continue;
        token.tag = 'span';
        token.attrs = null;
      }
    }
  });
}

function leavesSite(href: string | null, folder: string): boolean {
  if (href === null || /^(?:[a-z]+:|#|\/)/.test(href)) return false;
  return path.posix.join(folder, href).startsWith('..');
}
