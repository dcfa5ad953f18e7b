import type { Health } from '../api/answers.ts';
import { Chart } from './chart.tsx';
import { clockOf, durationOf, rounded } from './figures.ts';

type Recent = Health['recent'];

/** Charts of the last quarter of an hour, and the same figures as a table. */
export function Traffic({ recent }: { readonly recent: Recent }) {
  // The current interval has not ended, so its count would look like a decline.
  const ended = recent.slice(0, -1);
  const intervalSeconds = ((recent[1]?.at ?? 0) - (recent[0]?.at ?? 0)) / 1000;
  const times = ended.map(({ at }) => at);
  return (
    <section aria-labelledby="traffic">
      <h2 id="traffic">The last quarter of an hour</h2>
      <div class="charts">
        <Chart
          title="Operations per second"
          times={times}
          format={rounded}
          lines={[
            { name: 'all', values: ended.map(({ count }) => count / intervalSeconds) },
            { name: 'with an error', values: ended.map(({ errors }) => errors / intervalSeconds) },
          ]}
        />
        <Chart
          title="Latency"
          times={times}
          format={durationOf}
          lines={[
            { name: 'half within', values: ended.map(({ p50 = null }) => p50) },
            { name: '99 % within', values: ended.map(({ p99 = null }) => p99) },
          ]}
        />
      </div>
      <details>
        <summary>The same as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Minute from</th>
              <th scope="col">Operations</th>
              <th scope="col">With an error</th>
              <th scope="col">Slowest 99 % within</th>
            </tr>
          </thead>
          <tbody>
            {minutesOf(ended).map(({ at, count, errors, p99 }) => (
              <tr key={at}>
                <th scope="row">{clockOf(at)}</th>
                <td>{count}</td>
                <td>{errors}</td>
                <td>{durationOf(p99)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

const minuteMs = 60_000;

/** Adds up the intervals of each minute, the latest first. */
function minutesOf(recent: Recent) {
  const minutes = Map.groupBy(recent, ({ at }) => Math.floor(at / minuteMs));
  return [...minutes].toReversed().map(([minute, intervals]) => ({
    at: minute * minuteMs,
    count: intervals.reduce((sum, { count }) => sum + count, 0),
    errors: intervals.reduce((sum, { errors }) => sum + errors, 0),
    p99: intervals.reduce<number | undefined>(
      (max, { p99 }) => (p99 === undefined || (max ?? 0) > p99 ? max : p99),
      undefined,
    ),
  }));
}
