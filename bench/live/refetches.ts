/** The token with which the benchmark reads the metrics of the gateway. */
export const metricsToken = 'benchmark-metrics-token';

/** Returns the number of fetches of live queries that the gateway has made. */
export async function refetchesOf(port: number): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`no metrics: status ${response.status}, ${text}`);
  return refetchesIn(text);
}

/** @throws Error when the metric is missing, or when a fetch has failed */
export function refetchesIn(metrics: string): number {
  const counts = [
    ...metrics.matchAll(/^rowgate_subscription_refetches_total\{outcome="(\w+)"\} (\d+)$/gm),
  ];
  const failed = counts.find(([, outcome, count]) => outcome === 'failed' && count !== '0');
  if (counts.length === 0 || failed) throw new Error(`fetches have failed or are not counted`);
  return counts.reduce((sum, [, , count]) => sum + Number(count), 0);
}
