import { useEffect, useState } from 'preact/hooks';
import { askServer, ServerError } from '../api/ask-server.ts';
import type { ListName, Page, Row } from './answers.ts';

export interface Question extends ListName {
  readonly search?: string | undefined;
  readonly filter?: string | undefined;
}

/** The rows of a list so far. */
export interface Rows {
  readonly rows: readonly Row[];
  /** Reads the next page; absent on the last page. Does nothing while a page is being read. */
  readonly more?: (() => void) | undefined;
  readonly isWaiting: boolean;
  readonly error?: unknown;
  /** Reads the first page again. */
  readonly reload: () => void;
}

interface Read {
  readonly rows: readonly Row[];
  readonly next?: Page['next'];
  readonly isWaiting: boolean;
  readonly error?: unknown;
}

const nothing: Read = { rows: [], isWaiting: true };

/** Reads a list page by page. Another question begins again, and ignores the answers to the earlier one. */
export function useRows(question: Question, onSignedOut: () => void): Rows {
  const [read, setRead] = useState(nothing);
  const [reading, setReading] = useState<{ readonly after?: Page['next'] }>();
  const key = JSON.stringify(question);
  useEffect(() => setReading({}), [key]);
  useEffect(() => {
    if (!reading) return;
    let isCurrent = true;
    const { after } = reading;
    const before = after === undefined ? [] : read.rows;
    setRead({ rows: before, next: after, isWaiting: true });
    askServer<Page>('/console/sections/page', { ...question, ...(after && { after }) }).then(
      ({ rows, next }) => {
        if (isCurrent) setRead({ rows: [...before, ...rows], next, isWaiting: false });
      },
      (error: unknown) => {
        if (!isCurrent) return;
        if (error instanceof ServerError && error.status === 401) onSignedOut();
        else setRead({ rows: before, next: after, isWaiting: false, error });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [reading]);
  const { next, isWaiting } = read;
  return {
    ...{ rows: read.rows, isWaiting, error: read.error },
    more: next && (() => isWaiting || setReading({ after: next })),
    reload: () => setReading({}),
  };
}
