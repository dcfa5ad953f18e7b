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

/** The draft of one session. It stays in the memory of the page, because it can contain values of rows. */
let kept: { readonly session: string; readonly draft: Draft } | undefined;

/**
 * Returns the draft, a function that changes a part of it, and one that adds to its history. A document in the address
 * replaces that of the draft.
 */
export function useDraft(
  { actor, endsAt }: Session,
  linked: string | undefined,
): readonly [Draft, (changed: Partial<Draft>) => void, (entry: HistoryEntry) => void] {
  const session = `${endsAt} ${actor}`;
  const [draft, setDraft] = useState(() => {
    const known = kept?.session === session ? kept.draft : empty;
    return linked === undefined ? known : { ...known, text: linked };
  });
  kept = { session, draft };
  const change = (changed: Partial<Draft>) => setDraft((last) => ({ ...last, ...changed }));
  useEffect(() => {
    if (linked !== undefined) change({ text: linked });
  }, [linked]);
  const remember = (entry: HistoryEntry) =>
    setDraft((last) => ({ ...last, history: [entry, ...last.history].slice(0, maxHistory) }));
  return [draft, change, remember];
}
