/** The longest time that a timer knows. */
const longestMs = 2 ** 31 - 1;

/** Does something at a time, at once where it has passed; returns what calls it off. */
export function atTime(time: Date, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const left = time.getTime() - Date.now();
    if (left <= 0) return act();
    timer = setTimeout(wait, Math.min(left, longestMs)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
