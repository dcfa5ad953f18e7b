import { useEffect, useState } from 'preact/hooks';
import type { Session } from '../api/answers.ts';

/** Everything that the user has written on the screen. */
export interface Draft {
  readonly text: string;
  /** The operation to run, if the document has several. */
  readonly operationName: string | undefined;
  /** JSON. */
  readonly variables: string;
  /** Session variables by header. */
  readonly headers: Readonly<Record<string, string>>;
  /** Other headers, one a line. */
  readonly others: string;
  readonly history: readonly HistoryEntry[];
}

/** One operation that was run, without its variables. */
export interface HistoryEntry {
  readonly at: Date;
  readonly role: string;
  readonly text: string;
  /** The number of rows, and the time. */
  readonly words: string;
}

const maxHistory = 30;

const empty: Draft = {
  text: '# Ctrl-Space lists the fields of the role, Ctrl-Enter runs the operation.\n',
  ...{ operationName: undefined, variables: '', headers: {}, others: '', history: [] },
};

/** Drafts stay in the memory of the page until the session ends, because they can contain values of rows. */
const drafts = new WeakMap<Session, Draft>();

/**
 * Returns the draft, a function that changes a part of it, and one that adds to its history. A document in the address
 * replaces that of the draft.
 */
export function useDraft(
  session: Session,
  linked: string | undefined,
): readonly [Draft, (changed: Partial<Draft>) => void, (entry: HistoryEntry) => void] {
  const [draft, setDraft] = useState(() => {
    const known = drafts.get(session) ?? empty;
    return linked === undefined ? known : { ...known, text: linked };
  });
  drafts.set(session, draft);
  const change = (changed: Partial<Draft>) => setDraft((last) => ({ ...last, ...changed }));
  useEffect(() => {
    if (linked !== undefined) change({ text: linked });
  }, [linked]);
  const remember = (entry: HistoryEntry) =>
    setDraft((last) => ({ ...last, history: [entry, ...last.history].slice(0, maxHistory) }));
  return [draft, change, remember];
}
