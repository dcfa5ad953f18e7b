import { useEffect, useState } from 'preact/hooks';

interface RunningProps {
  readonly words: string;
  readonly since: number;
  readonly cancel: () => void;
}

/** Shows that a task runs and for how long, and a button that cancels it. */
export function Running({ words, since, cancel }: RunningProps) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now - since) / 1000));
  return (
    <p class="running">
      <progress aria-label={words} /> <span role="status">{words}</span> {seconds} s{' '}
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </p>
  );
}
