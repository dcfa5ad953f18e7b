import { useEffect, useRef, useState } from 'preact/hooks';
import type { CheckedDrafts } from '../api/change-answers.ts';
import { type Draft, textsOf } from './draft-store.ts';
import { type Task, useTask } from './use-task.ts';

/** A pause in writing after which the drafts are checked. */
const pauseMs = 800;

export interface DraftCheck {
  readonly task: Task<CheckedDrafts>;
  /** The last answer. It may be about earlier texts while the task runs. */
  readonly checked: CheckedDrafts | undefined;
  /** Counts existing rows, too. */
  count(): void;
  again(): void;
}

/** Checks the drafts after each pause in writing. */
export function useCheck(drafts: readonly Draft[], onSignedOut: () => void): DraftCheck {
  const { task, start, cancel } = useTask<CheckedDrafts>('/admin/metadata/check', onSignedOut);
  const [checked, setChecked] = useState<CheckedDrafts>();
  const asked = useRef<readonly Draft[]>(undefined);
  const isRunning = task.state === 'running';
  const run = (count: boolean) => {
    asked.current = drafts;
    start({ drafts: textsOf(drafts), count });
  };
  useEffect(() => {
    if (drafts.length === 0) {
      cancel();
      setChecked(undefined);
    }
    // A check that runs is not cancelled, because the server would lose the files that it has read.
    if (drafts.length === 0 || isRunning || asked.current === drafts) return;
    const timer = setTimeout(() => run(false), pauseMs);
    return () => clearTimeout(timer);
  }, [drafts, isRunning]);
  useEffect(() => {
    if (task.state === 'done') setChecked(task.answer);
  }, [task]);
  return { task, checked, count: () => run(true), again: () => run(false) };
}
