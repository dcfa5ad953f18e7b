import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { nameSearchParts } from './name-search-parts.ts';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: () => {
    if (!import.meta.env.SSR) nameSearchParts();
  },
};

export default theme;
