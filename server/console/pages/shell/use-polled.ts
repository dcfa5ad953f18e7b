import { useCallback, useEffect, useState } from 'preact/hooks';
import { ServerError } from '../api/ask-server.ts';
import type { Asked } from './use-answer.ts';

/**
 * Asks the server when the key changes, again and again while the page is visible, and on demand. The last answer stays
 * until the next one is there; one failure between answers is not shown, so that it closes no dialog. The question must
 * not be recorded as a use.
 * @param onSignedOut runs when the session has ended
 */
export function usePolled<Answer>(
  key: string,
  ask: () => Promise<Answer>,
  seconds: number,
  onSignedOut: () => void,
): readonly [Asked<Answer>, () => void] {
  const [asked, setAsked] = useState<Asked<Answer>>({ state: 'waiting' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => setAsked({ state: 'waiting' }), [key]);
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const run = async () => {
      clearTimeout(timer);
      try {
        const answer = await ask();
        failures = 0;
        if (isCurrent) setAsked({ state: 'answered', answer });
      } catch (error) {
        if (!isCurrent) return;
        failures += 1;
        const isFirst = failures === 1;
        if (error instanceof ServerError && error.status === 401) onSignedOut();
        else {
          setAsked((last) =>
            isFirst && last.state === 'answered' ? last : { state: 'failed', error },
          );
        }
      }
      // A hidden page asks nothing. It asks at once when it becomes visible.
      if (isCurrent && !document.hidden) timer = setTimeout(run, seconds * 1000);
    };
    const onVisible = () => {
      if (!document.hidden) void run();
    };
    void run();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [key, attempt, seconds]);
  return [asked, useCallback(() => setAttempt((count) => count + 1), [])];
}
