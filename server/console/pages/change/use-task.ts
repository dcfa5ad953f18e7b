import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { fetchFrom, posted, ServerError } from '../api/ask-server.ts';

/** The state of a task that the user starts. */
export type Task<Answer> =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly since: number }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'done'; readonly answer: Answer };

export interface TaskControl<Answer> {
  readonly task: Task<Answer>;
  /** Starts the task, and cancels the one before. */
  start(body: unknown): void;
  /** Ends the task and forgets its answer. */
  cancel(): void;
}

/** Posts to a path on demand. A cancelled task also ends on the server, which sees that the request was left. */
export function useTask<Answer>(path: string, onSignedOut: () => void): TaskControl<Answer> {
  const [task, setTask] = useState<Task<Answer>>({ state: 'idle' });
  const running = useRef<AbortController>(undefined);
  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setTask({ state: 'idle' });
  }, []);
  const start = useCallback((body: unknown) => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    setTask({ state: 'running', since: Date.now() });
    const finish = (next: Task<Answer>) => running.current === own && setTask(next);
    fetchFrom(path, { ...posted(JSON.stringify(body), {}), signal: own.signal })
      .then((response) => response.json())
      .then(
        (answer) => finish({ state: 'done', answer }),
        (error: unknown) => {
          if (error instanceof ServerError && error.status === 401) onSignedOut();
          else finish({ state: 'failed', error });
        },
      );
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  return { task, start, cancel };
}
