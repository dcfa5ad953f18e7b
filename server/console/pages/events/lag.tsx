import { askServer } from '../api/ask-server.ts';
import type { EventRates } from '../api/work-answers.ts';
import { Chart } from '../chart/chart.tsx';
import { Failure } from '../shell/failure.tsx';
import type { Values } from '../shell/place.ts';
import type { ScreenProps } from '../shell/screens.ts';
import { usePolled } from '../shell/use-polled.ts';
import { durationWords } from './words.ts';

const ranges = { 1: 'the last hour', 24: 'the last day', 168: 'the last week' } as const;

interface LagProps extends Pick<ScreenProps, 'place' | 'go' | 'onSignedOut'> {
  /** The names of the event triggers. */
  readonly names: readonly string[];
}

/** Charts of one trigger or of all: how long the oldest event waited, and how many were recorded, delivered, given up. */
export function Lag({ place, go, names, onSignedOut }: LagProps) {
  const { chart = '', hours = '1' } = place.values;
  const set = (changed: Values) =>
    go({ screen: 'events', values: { ...place.values, ...changed } }, 'replace');
  return (
    <section aria-labelledby="lag">
      <h2 id="lag">How long events wait</h2>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Events of
          <select
            value={chart}
            onChange={({ currentTarget }) => set({ chart: currentTarget.value })}
          >
            <option value="">all triggers</option>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Recorded in
          <select
            value={hours}
            onChange={({ currentTarget }) => set({ hours: currentTarget.value })}
          >
            {Object.entries(ranges).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </form>
      <Charts {...{ trigger: chart, hours, onSignedOut }} />
    </section>
  );
}

interface ChartsProps extends Pick<ScreenProps, 'onSignedOut'> {
  readonly trigger: string;
  readonly hours: string;
}

function Charts({ trigger, hours, onSignedOut }: ChartsProps) {
  const query = new URLSearchParams({ hours, ...(trigger !== '' && { trigger }) });
  const ask = () => askServer<EventRates>(`/admin/events/rates?${query}`);
  // A chart of a longer time changes more slowly, and costs more.
  const seconds = Math.max(60, Number(hours) * 60);
  const [asked, refresh] = usePolled(query.toString(), ask, seconds, onSignedOut);
  if (asked.state === 'waiting') return <p class="waiting">Reading the events…</p>;
  if (asked.state === 'failed') return <Failure error={asked.error} retry={refresh} />;
  const { since, stepSeconds, recorded, delivered, dead, oldestSeconds } = asked.answer;
  const times = recorded.map((_count, step) => since / 1000 + (step + 1) * stepSeconds);
  return (
    <div class="charts">
      <Chart
        title="Age of the oldest waiting event"
        {...{ times, words: durationWords }}
        series={[{ name: 'oldest waiting event', values: oldestSeconds }]}
      />
      <Chart
        title={`Events in steps of ${durationWords(stepSeconds)}`}
        {...{ times, words: countWords }}
        series={[
          { name: 'recorded', values: recorded },
          { name: 'delivered', values: delivered },
          { name: 'given up', values: dead },
        ]}
      />
    </div>
  );
}

/** Half events between the marks of an axis have no words. */
function countWords(count: number): string {
  return Number.isInteger(count) ? count.toLocaleString() : '';
}
