import { useEffect, useState } from 'preact/hooks';
import { askServer, ServerError } from '../api/ask-server.ts';

interface Polled<Answer> {
  /** The latest answer; it stays while later questions fail. */
  readonly answer: Answer | undefined;
  /** Why the last question failed. */
  readonly error: unknown;
}

/** Reads a path again and again while the page is visible. */
export function usePolled<Answer>(
  path: string,
  everyMs: number,
  onSignedOut: () => void,
): Polled<Answer> & { readonly askNow: () => void } {
  const [polled, setPolled] = useState<Polled<Answer>>({ answer: undefined, error: undefined });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOpen = true;
    const ask = async () => {
      try {
        const answer = await askServer<Answer>(path);
        if (isOpen) setPolled({ answer, error: undefined });
      } catch (error) {
        if (error instanceof ServerError && error.status === 401) return onSignedOut();
        if (isOpen) setPolled(({ answer }) => ({ answer, error }));
      }
      if (isOpen && !document.hidden) timer = setTimeout(ask, everyMs);
    };
    const onVisible = () => {
      clearTimeout(timer);
      if (!document.hidden) void ask();
    };
    void ask();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isOpen = false;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [path, attempt]);
  return { ...polled, askNow: () => setAttempt((count) => count + 1) };
}
