import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ServerError } from '../api/ask-server.ts';
import type { Operation } from './document.ts';
import { type OperationAnswer, type Question, runOperation, subscribe } from './run-operation.ts';

/** The state of the operation that was run last. */
export interface Run {
  readonly state: 'none' | 'waiting' | 'live' | 'ended';
  readonly answer?: OperationAnswer;
  /** The number of answers so far. */
  readonly answers: number;
  readonly error?: unknown;
}

export interface Runner {
  readonly run: Run;
  /** Resolves to the last state of the operation. */
  start(question: Question, kind: Operation['kind']): Promise<Run>;
  /** Closes a subscription. Does not cancel a mutation, which may have changed rows already. */
  stop(): void;
}

const before: Run = { state: 'none', answers: 0 };

/** Runs one operation at a time. A subscription closes when another operation starts, and with the screen. */
export function useRun(onSignedOut: () => void): Runner {
  const [run, setRun] = useState(before);
  const open = useRef<AbortController>(undefined);
  const stop = useCallback(() => open.current?.abort(), []);
  useEffect(() => stop, []);
  const start: Runner['start'] = async (question, kind) => {
    stop();
    const controller = new AbortController();
    open.current = controller;
    let last: Run = { state: 'waiting', answers: 0 };
    const set = (next: Run) => {
      last = next;
      if (open.current === controller) setRun(next);
    };
    set(last);
    try {
      if (kind === 'subscription') {
        await subscribe(question, controller.signal, (answer) =>
          set({ state: 'live', answer, answers: last.answers + 1 }),
        );
        set({ ...last, state: 'ended' });
      } else {
        const path = kind === 'mutation' ? '/admin/graphql/write' : '/admin/graphql';
        set({ state: 'ended', answer: await runOperation(question, path), answers: 1 });
      }
    } catch (error) {
      if (error instanceof ServerError && error.status === 401) onSignedOut();
      set({ ...last, state: 'ended', error });
    }
    return last;
  };
  return { run, start, stop };
}
