import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DefaultTheme } from 'vitepress';

const docs = path.resolve(import.meta.dirname, '..');

/** Sections in reading order; the index page of each lists its pages. */
export const sections = [
  'tutorials',
  'operators',
  'clients',
  'deployment',
  'platform',
  'reference',
  'contributing',
];

export function makeSidebar(): DefaultTheme.SidebarItem[] {
  return sections.map((section) => ({
    text: titleOf(`${section}/index.md`),
    link: `/${section}/`,
    collapsed: true,
    items: pagesOf(section).map((page) => ({
      text: titleOf(`${section}/${page}.md`),
      link: `/${section}/${page}`,
    })),
  }));
}

function pagesOf(section: string): readonly string[] {
  const links = readPage(`${section}/index.md`).matchAll(/\]\(([a-z0-9-]+)\.md\)/g);
  return [...new Set([...links].map(([, page = '']) => page))];
}

function titleOf(file: string): string {
  return /^# (.+)$/m.exec(readPage(file))?.[1]?.replaceAll('`', '') ?? file;
}

function readPage(file: string): string {
  return readFileSync(path.join(docs, file), 'utf8');
}
