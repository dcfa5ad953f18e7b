import type { ServerCommand } from '../../cli/command-context.ts';
import type { Config } from '../../config/config.ts';
import { errorMessage, ProcessError } from '../../errors.ts';

const timeoutMs = 10_000;
const prefix = 'rowgate_subscription';

/** `rowgate live stats` shows the metrics of subscriptions of the running server. */
export const liveStatsCommand: ServerCommand = {
  name: 'live stats',
  summary: 'show subscriptions, fetches, messages and their latency of the running server',
  options: { json: { type: 'boolean', help: 'print JSON' } },
  run: async (options, _positionals, { config, print }) => {
    const samples = samplesIn(await readMetrics(config));
    if (options.json === true) print(JSON.stringify(Object.fromEntries(samples), null, 2));
    else for (const line of linesOf(samples)) print(line);
    return 0;
  },
};

async function readMetrics({ baseUrl, events }: Config): Promise<string> {
  const [token] = events.metricsTokens;
  if (token === undefined) {
    throw new ProcessError('RG_CONFIG', 'ROWGATE_METRICS_TOKEN is not set', {
      hint: 'set it for the server and for this command, which reads the metrics of the server',
      exitCode: 2,
    });
  }
  const url = `${baseUrl}/metrics`;
  const init = {
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(timeoutMs),
  };
  const response = await fetch(url, init).catch((error: unknown) => {
    throw unreadable(url, errorMessage(error));
  });
  if (!response.ok) throw unreadable(url, `it answers with status ${response.status}`);
  return response.text();
}

function unreadable(url: string, reason: string): ProcessError {
  return new ProcessError('RG_USAGE', `cannot read the metrics at ${url}: ${reason}`, {
    hint: 'ROWGATE_BASE_URL must be the URL of the running server, and the token the same',
  });
}

/** Returns the samples of subscriptions by name and labels, in the text format of Prometheus. */
function samplesIn(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(prefix));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

function linesOf(samples: ReadonlyMap<string, number>): readonly string[] {
  const of = (name: string) => samples.get(`${prefix}${name}`) ?? 0;
  const count = of('_latency_seconds_count');
  const mean = count === 0 ? 0 : (1000 * of('_latency_seconds_sum')) / count;
  return [
    `subscriptions  ${of('s{kind="query"}')} live queries in ${of('_cohorts')} cohorts  ${of('s{kind="stream"}')} streams`,
    `fetches  ${of('_refetches_total{outcome="changed"}')} with another answer  ${of('_refetches_total{outcome="unchanged"}')} with the same answer  ${of('_refetches_total{outcome="failed"}')} failed`,
    `changes  ${of('_changes_total{outcome="matched"}')} matched  ${of('_changes_total{outcome="skipped"}')} skipped`,
    `messages  ${of('_messages_total{kind="query"}')} of live queries  ${of('_messages_total{kind="stream"}')} of streams`,
    `latency  ${mean.toFixed(1)} ms from reading a change to its messages, on average of ${count}`,
    ...suggestions(samples),
  ];
}

/** Suggests to make tables live: first those for which the server fetches most often. */
function suggestions(samples: ReadonlyMap<string, number>): readonly string[] {
  const polls = [...samples].flatMap(([sample, count]) => {
    const table = /_polls_total\{table="(.*)"\}$/.exec(sample)?.[1];
    return table === undefined ? [] : [{ table, count }];
  });
  return polls
    .toSorted((one, other) => other.count - one.count)
    .map(
      ({ table, count }) =>
        `not live  ${table}: ${count} fetches without a known change; "live: true" in its file replaces them by reports`,
    );
}
