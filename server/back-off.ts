export interface BackOff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Returns the wait before another try, in milliseconds. It doubles with each failure up to the maximum, and a random
 * part spreads the tries of many subscriptions and servers.
 * @param failures the number of failures in a row, at least 1
 */
export function backOffMs(failures: number, { firstMs, maxMs }: BackOff): number {
  const whole = Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return whole * (0.5 + Math.random() / 2);
}
