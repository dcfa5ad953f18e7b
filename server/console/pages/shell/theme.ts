import { useLayoutEffect, useState } from 'preact/hooks';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'rowgate-console-theme';

/** Returns the theme, which this browser remembers, and a function that changes it. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(remembered);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const choose = (next: Theme) => {
    localStorage.setItem(key, next);
    setTheme(next);
  };
  return [theme, choose];
}

function remembered(): Theme {
  const stored = localStorage.getItem(key);
  return themes.find((theme) => theme === stored) ?? 'system';
}
