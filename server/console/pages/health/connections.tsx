import type { Health } from '../api/answers.ts';
import { countOf, durationOf } from './figures.ts';
import { Scrolled } from './scrolled.tsx';

const poolNames: Readonly<Record<string, string>> = {
  operations: 'of queries and mutations',
  subscriptions: 'of subscriptions',
};

/** Connections to the database, live queries, and the tables that cost them most. */
export function Connections({ pools, live }: Pick<Health, 'pools' | 'live'>) {
  return (
    <section aria-labelledby="connections">
      <h2 id="connections">Connections and live queries</h2>
      <Scrolled label="Connections to the database">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Connections</th>
              <th scope="col">In use</th>
              <th scope="col">Idle</th>
              <th scope="col">At most</th>
              <th scope="col">Requests that wait</th>
            </tr>
          </thead>
          <tbody>
            {pools.map(({ pool, used, idle, max, waiting }) => (
              <tr key={pool}>
                <th scope="row">{poolNames[pool] ?? pool}</th>
                <td>{used}</td>
                <td>{idle}</td>
                <td>{max}</td>
                <td>{waiting > 0 ? <strong class="problem">{waiting}</strong> : waiting}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      <ul>
        <li>
          {countOf(live.queries, 'live query', 'live queries')} in{' '}
          {countOf(live.cohorts, 'cohort', 'cohorts')}, {countOf(live.streams, 'stream', 'streams')}
          , {countOf(live.sockets, 'open socket', 'open sockets')}
        </li>
        <li>
          fetches: {live.changed.toLocaleString('en')} with another answer,{' '}
          {live.unchanged.toLocaleString('en')} with the same answer,{' '}
          {live.failed.toLocaleString('en')} failed
        </li>
        <li>
          {countOf(live.messages, 'message', 'messages')} to clients
          {live.meanSeconds !== undefined &&
            `, on average ${durationOf(live.meanSeconds)} after the change was read`}
        </li>
      </ul>
      {live.polls.length > 0 && (
        <>
          <h3>Tables that are not live</h3>
          <p>
            Live queries on these tables are fetched every few seconds. <code>live: true</code> in
            the file of a table replaces the fetches by reports.
          </p>
          <ul>
            {live.polls.map(({ table, count }) => (
              <li key={table}>
                <code>{table}</code>: {countOf(count, 'fetch', 'fetches')}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
