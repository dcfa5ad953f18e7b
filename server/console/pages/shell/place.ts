import { useLayoutEffect, useState } from 'preact/hooks';
import { root } from '../api/ask-server.ts';

/** The values in the query of the address. Absent values have no effect. */
export type Values = Readonly<Record<string, string | undefined>>;

/** The screen that the address names, with its parameters. */
export interface Place {
  readonly screen: string;
  readonly values: Values;
}

/** Goes to a place. `replace` keeps the history as short as it is, for values that change at each key. */
export type Go = (place: Place, how?: 'push' | 'replace') => void;

/** The screen of the bare address. */
export const firstScreen = 'matrix';

/** Returns the address of a place. */
export function hrefOf({ screen, values }: Place): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given as [string, string][]).toString();
  return `${root}/console/${screen}${query === '' ? '' : `?${query}`}`;
}

/** Returns the place of the address, and a function that changes it. */
export function usePlace(): readonly [Place, Go] {
  const [place, setPlace] = useState(currentPlace);
  useLayoutEffect(() => {
    const update = () => setPlace(currentPlace());
    addEventListener('popstate', update);
    return () => removeEventListener('popstate', update);
  }, []);
  const go: Go = (next, how = 'push') => {
    const href = hrefOf(next);
    if (how === 'push') history.pushState(null, '', href);
    else history.replaceState(null, '', href);
    setPlace(next);
  };
  return [place, go];
}

function currentPlace(): Place {
  const screen = location.pathname.slice(`${root}/console`.length).replaceAll('/', '');
  const values = Object.fromEntries(new URLSearchParams(location.search));
  return { screen: screen === '' ? firstScreen : decodeURIComponent(screen), values };
}
