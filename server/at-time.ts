/** Maximum delay of a timer in Node. */
const maxTimerMs = 2 ** 31 - 1;

/** Calls `act` at a time, or immediately if the time has passed. Returns a function that cancels the call. */
export function atTime(time: Date, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const left = time.getTime() - Date.now();
    if (left <= 0) return act();
    timer = setTimeout(wait, Math.min(left, maxTimerMs)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
