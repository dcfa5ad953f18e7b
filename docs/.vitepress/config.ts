import { defineConfig } from 'vitepress';
import { textForOutsideLinks } from './outside-links.ts';
import { miniSearch } from './search.ts';
import { makeSidebar } from './sidebar.ts';
import { slugify } from './slugify.ts';

export default defineConfig({
  title: 'Rowgate',
  description: 'Permission rules in YAML, enforced by Postgres, served over GraphQL',
  lang: 'en',
  outDir: '../site',
  cacheDir: '../node_modules/.cache/vitepress',
  vite: { logLevel: 'warn' },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    config: textForOutsideLinks,
  },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch } },
    sidebar: makeSidebar(),
    outline: { level: [2, 3] },
    externalLinkIcon: true,
  },
});
