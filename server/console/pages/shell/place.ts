import { useLayoutEffect, useState } from 'preact/hooks';
import { root } from '../api/ask-server.ts';

/** The values in the query of the address. Absent values have no effect. */
export type Values = Readonly<Record<string, string | undefined>>;

/** The screen that the address names, with its parameters. */
export interface Place {
  readonly screen: string;
  readonly values: Values;
  /**
   * State that must not stand in the address, such as values of rows. It exists only in the memory of this page: going
   * back finds it again, and loading the page again does not.
   */
  readonly memory?: unknown;
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

/** The memory of places by a number, which alone stands in the history of the browser. */
const memories = new Map<string, unknown>();
const maxMemories = 200;
let count = 0;

/** Returns the state for an entry in the history of the browser. */
function remember({ memory }: Place): string | null {
  if (memory === undefined) return null;
  count += 1;
  // An entry of a page that was loaded before must not find the memory of this one.
  const id = `${performance.timeOrigin}-${count}`;
  memories.set(id, memory);
  const [oldest] = memories.keys();
  if (memories.size > maxMemories && oldest !== undefined) memories.delete(oldest);
  return id;
}

/** Returns the place of the address, and a function that changes it. Forgets all memory when the user signs out. */
export function usePlace(): readonly [Place, Go] {
  const [place, setPlace] = useState(currentPlace);
  useLayoutEffect(() => {
    const update = () => setPlace(currentPlace());
    addEventListener('popstate', update);
    return () => {
      removeEventListener('popstate', update);
      memories.clear();
    };
  }, []);
  const go: Go = (next, how = 'push') => {
    const href = hrefOf(next);
    const state = remember(next);
    if (how === 'push') history.pushState(state, '', href);
    else history.replaceState(state, '', href);
    setPlace(next);
  };
  return [place, go];
}

function currentPlace(): Place {
  const screen = location.pathname.slice(`${root}/console`.length).replaceAll('/', '');
  const values = Object.fromEntries(new URLSearchParams(location.search));
  const memory = memories.get(history.state);
  return { screen: screen === '' ? firstScreen : decodeURIComponent(screen), values, memory };
}
