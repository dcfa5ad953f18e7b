import { useEffect, useState } from 'preact/hooks';
import { ServerError } from '../api/ask-server.ts';

/** A page of a list, and the beginning of the next page; undefined on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

/** The pages of a list that were loaded so far. */
export interface Pages<Item> {
  readonly items: readonly Item[];
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Loads the next page; undefined on the last page. */
  readonly more: (() => void) | undefined;
  /** Loads the first page again. */
  readonly reload: () => void;
}

/** The page to load. */
interface Wanted {
  readonly key: string;
  readonly before?: string;
}

/**
 * Loads the first page of a list when the key changes, and further pages on demand.
 * @param onSignedOut runs when the session has ended
 */
export function usePages<Item>(
  key: string,
  load: (before: string | undefined) => Promise<Page<Item>>,
  onSignedOut: () => void,
): Pages<Item> {
  const [loaded, setLoaded] = useState<Page<Item>>({ items: [], next: undefined });
  const [wanted, setWanted] = useState<Wanted>({ key });
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isCurrent = true;
    setLoading(true);
    setError(undefined);
    const before = wanted.key === key ? wanted.before : undefined;
    load(before)
      .then(
        ({ items, next }) => {
          if (!isCurrent) return;
          setLoaded((earlier) => ({
            items: before === undefined ? items : [...earlier.items, ...items],
            next,
          }));
        },
        (failure: unknown) => {
          if (!isCurrent) return;
          if (failure instanceof ServerError && failure.status === 401) onSignedOut();
          else setError(failure);
        },
      )
      .finally(() => isCurrent && setLoading(false));
    return () => {
      isCurrent = false;
    };
  }, [key, wanted]);
  const { items, next } = loaded;
  return {
    ...{ items, isLoading, error },
    more: next === undefined ? undefined : () => setWanted({ key, before: next }),
    reload: () => setWanted({ key }),
  };
}
