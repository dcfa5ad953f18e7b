import { useCallback, useEffect, useState } from 'preact/hooks';
import { ServerError } from '../api/ask-server.ts';

/** The state of a question to the server. */
export type Asked<Answer> =
  | { readonly state: 'waiting' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'answered'; readonly answer: Answer };

/**
 * Asks the server when the key changes, and again on demand. Ignores an answer to an earlier key.
 * @param onSignedOut runs when the session has ended
 */
export function useAnswer<Answer>(
  key: string,
  ask: () => Promise<Answer>,
  onSignedOut: () => void,
): readonly [Asked<Answer>, () => void] {
  const [asked, setAsked] = useState<Asked<Answer>>({ state: 'waiting' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    setAsked({ state: 'waiting' });
    ask().then(
      (answer) => isCurrent && setAsked({ state: 'answered', answer }),
      (error: unknown) => {
        if (!isCurrent) return;
        if (error instanceof ServerError && error.status === 401) onSignedOut();
        else setAsked({ state: 'failed', error });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, attempt]);
  return [asked, useCallback(() => setAttempt((count) => count + 1), [])];
}
