import { Failure } from '../shell/failure.tsx';
import type { Pages } from '../shell/use-pages.ts';

interface MoreProps {
  readonly pages: Pages<unknown>;
  /** The words for an empty list: why it can be empty, and what to do. */
  readonly empty: string;
}

/** The end of a list: the next page, a failure, or why the list is empty. */
export function More({ pages: { items, isLoading, error, more, reload }, empty }: MoreProps) {
  if (error !== undefined) return <Failure error={error} retry={more ?? reload} />;
  if (isLoading) return <p role="status">Loading…</p>;
  if (items.length === 0) return <p role="status">{empty}</p>;
  return more ? (
    <p>
      <button type="button" onClick={more}>
        Show more
      </button>
    </p>
  ) : (
    <p class="quiet">This is the end of the list.</p>
  );
}
