import type { Registry } from 'prom-client';

/** A value of a metric with its labels. */
export interface Sample {
  /** The name; that of a histogram has a suffix such as `_sum`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string | undefined>>;
  readonly value: number;
}

/** Returns the values of a metric of this process; none if nothing publishes it. */
export async function samplesOf(registry: Registry, name: string): Promise<readonly Sample[]> {
  const found = await registry.getSingleMetric(name)?.get();
  return (found?.values ?? []).map((one) => ({
    name: 'metricName' in one && typeof one.metricName === 'string' ? one.metricName : name,
    labels: Object.fromEntries(
      Object.entries(one.labels).map(([label, value]) => [label, String(value)]),
    ),
    value: one.value,
  }));
}

/** Adds up the values whose labels have the given values. */
export function sumOf(samples: readonly Sample[], labels: Sample['labels'] = {}): number {
  return samples
    .filter((one) => Object.entries(labels).every(([name, value]) => one.labels[name] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/**
 * Estimates a quantile of a histogram, with the cumulative counts by the upper end of each bucket. Between two ends it
 * interpolates, as Prometheus does. Undefined without values.
 */
export function quantileOf(
  buckets: readonly { readonly end: number; readonly count: number }[],
  share: number,
): number | undefined {
  const total = buckets.at(-1)?.count ?? 0;
  if (total === 0) return undefined;
  const wanted = share * total;
  const index = buckets.findIndex(({ count }) => count >= wanted);
  const { end, count } = buckets[index] ?? { end: 0, count: 0 };
  const { end: start, count: below } = buckets[index - 1] ?? { end: 0, count: 0 };
  if (end === Number.POSITIVE_INFINITY) return start;
  return start + ((end - start) * (wanted - below)) / (count - below);
}
