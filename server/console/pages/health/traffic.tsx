import type { Health } from '../api/answers.ts';
import { Chart } from '../chart/chart.tsx';
import { durationOf, rounded } from './figures.ts';

/** Charts of the last quarter of an hour. */
export function Traffic({ recent }: Pick<Health, 'recent'>) {
  // The current interval has not ended, so its count would look like a decline.
  const ended = recent.slice(0, -1);
  const intervalSeconds = ((recent[1]?.at ?? 0) - (recent[0]?.at ?? 0)) / 1000;
  const times = ended.map(({ at }) => at / 1000 + intervalSeconds);
  return (
    <section aria-labelledby="traffic">
      <h2 id="traffic">The last quarter of an hour</h2>
      <div class="charts">
        <Chart
          title="Operations per second"
          {...{ times, words: rounded }}
          series={[
            { name: 'all', values: ended.map(({ count }) => count / intervalSeconds) },
            { name: 'with an error', values: ended.map(({ errors }) => errors / intervalSeconds) },
          ]}
        />
        <Chart
          title="Latency"
          {...{ times, words: durationOf }}
          series={[
            { name: 'half within', values: ended.map(({ p50 = null }) => p50) },
            { name: '99 % within', values: ended.map(({ p99 = null }) => p99) },
          ]}
        />
      </div>
    </section>
  );
}
