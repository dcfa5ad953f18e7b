import type { Registry } from 'prom-client';
import type { Static } from 'typebox';
import type { healthAnswer } from './health-bodies.ts';
import { quantileOf, type Sample, samplesOf, sumOf } from './read-metrics.ts';

type Health = Static<typeof healthAnswer>;

/** Maximum number of operations in an answer. */
const maxListed = 100;

/** Returns the operations that this process has ended, the most frequent first. */
export async function readOperations(
  registry: Registry,
): Promise<Pick<Health, 'operations' | 'omitted'>> {
  const ended = await samplesOf(registry, 'rowgate_operations_total');
  const seconds = await samplesOf(registry, 'rowgate_operation_time_seconds_total');
  const times = new Map(seconds.map((one) => [seriesOf(one), one.value]));
  const operations = [...Map.groupBy(ended, seriesOf)].map(([series, samples]) => {
    const { role = '', kind = '', operation = '' } = samples[0]?.labels ?? {};
    const count = sumOf(samples);
    const errors = samples
      .filter(({ labels }) => labels.code !== 'ok')
      .map(({ labels, value }) => ({ code: labels.code ?? '', count: value }))
      .toSorted((one, other) => other.count - one.count);
    return { role, kind, operation, count, errors, meanSeconds: (times.get(series) ?? 0) / count };
  });
  const sorted = operations.toSorted((one, other) => other.count - one.count);
  return {
    operations: sorted.slice(0, maxListed),
    omitted: Math.max(0, sorted.length - maxListed),
  };
}

/** Returns how long the operations of each role and kind took. */
export async function readLatencies(registry: Registry): Promise<Health['latencies']> {
  const samples = await samplesOf(registry, 'rowgate_operation_seconds');
  const found = [...Map.groupBy(samples, seriesOf)].map(([, ofSeries]) => {
    const { role = '', kind = '' } = ofSeries[0]?.labels ?? {};
    const buckets = ofSeries
      .filter(({ labels }) => labels.le !== undefined)
      .map(({ labels, value }) => ({
        end: Number(labels.le?.replace('+Inf', 'Infinity')),
        count: value,
      }));
    const [p50, p99] = [quantileOf(buckets, 0.5), quantileOf(buckets, 0.99)];
    const quantiles = p50 === undefined || p99 === undefined ? {} : { p50, p99 };
    return { role, kind, count: buckets.at(-1)?.count ?? 0, ...quantiles };
  });
  return found.toSorted((one, other) => other.count - one.count);
}

function seriesOf({ labels: { role, kind, operation } }: Sample): string {
  return JSON.stringify([role, kind, operation]);
}
