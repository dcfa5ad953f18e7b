import { useLayoutEffect, useState } from 'preact/hooks';
import type { RuleFile } from '../api/change-answers.ts';

/** A text that stands for that of a file. */
export interface Draft {
  readonly file: string;
  /** The file as it was opened. */
  readonly opened: Pick<RuleFile, 'text' | 'digest'>;
  readonly text: string;
}

/** The drafts stay while other screens are open, and only in the memory of the page. */
let drafts: readonly Draft[] = [];
const listeners = new Set<() => void>();

/** Keeps a draft. One that equals its file is no draft any more. */
export function keepDraft(draft: Draft): void {
  const others = drafts.filter(({ file }) => file !== draft.file);
  setDrafts(draft.text === draft.opened.text ? others : [...others, draft]);
}

export function dropDraft(file: string): void {
  setDrafts(drafts.filter((one) => one.file !== file));
}

function setDrafts(next: readonly Draft[]): void {
  drafts = next;
  for (const listener of listeners) listener();
}

/** Returns the drafts. The browser asks before it closes a page that has some. */
export function useDrafts(): readonly Draft[] {
  const [now, setNow] = useState(drafts);
  useLayoutEffect(() => {
    const update = () => setNow(drafts);
    listeners.add(update);
    return () => {
      listeners.delete(update);
    };
  }, []);
  return now;
}

addEventListener('beforeunload', (event) => {
  if (drafts.length > 0) event.preventDefault();
});

/** Returns the texts of drafts by their files, as the server expects them. */
export function textsOf(given: readonly Draft[]): Readonly<Record<string, string>> {
  return Object.fromEntries(given.map(({ file, text }) => [file, text]));
}
