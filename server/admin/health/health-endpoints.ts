import type { Registry } from 'prom-client';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { type AdminScope, adminEndpoint } from '../admin-endpoint.ts';
import { uncomparable } from '../admin-errors.ts';
import { adminReading } from '../admin-reading.ts';
import { driftAnswer, healthAnswer } from './health-bodies.ts';
import { samplesOf, sumOf } from './read-metrics.ts';
import { readLatencies, readOperations } from './read-operations.ts';

type Health = Static<typeof healthAnswer>;
type Drift = Static<typeof driftAnswer>;

/** The state of this process, which the screen Health shows. */
export interface HealthSources {
  /** The metrics of this process. */
  readonly metrics: Registry;
  /** Returns the operations of the last minutes. */
  recent(): readonly Readonly<Health['recent'][number]>[];
  /** Returns why this server is not ready. */
  unreadiness(): Promise<readonly string[]>;
  readonly drift: {
    /** Returns the result of the last check; undefined when there was none. */
    last(): Promise<FoundDrift | undefined>;
    /** Checks now. Returns undefined when the database cannot be compared; the log has the reason. */
    check(): Promise<FoundDrift | undefined>;
  };
}

/** The result of a check for drift, with all differences. */
interface FoundDrift {
  readonly at: number;
  readonly differences: readonly string[];
  readonly replaced: readonly string[];
}

/** Maximum number of differences in an answer. A database without any of its rules has thousands. */
const maxDifferences = 100;

/** Makes the endpoints of the state of this process. */
export function makeHealthEndpoints(
  scope: AdminScope,
  sources: HealthSources,
): readonly Endpoint[] {
  return [stateEndpoint(scope, sources), driftEndpoint(scope, sources)];
}

function stateEndpoint(scope: AdminScope, sources: HealthSources): Endpoint {
  return adminReading(
    {
      path: '/admin/health',
      operationId: 'getHealthOfServer',
      summary: 'show requests, latency, connections, subscriptions and drift of this process',
      answer: healthAnswer,
      work: async () => JSON.stringify(await readHealth(sources)),
    },
    scope,
  );
}

function driftEndpoint(scope: AdminScope, { drift }: HealthSources): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/drift',
      operationId: 'checkDrift',
      summary: 'compare the database with the applied rules now',
      body: Type.Object({}, { title: 'NoOptions', additionalProperties: false }),
      answer: driftAnswer,
      subject: () => ({}),
      work: async () => {
        const found = await drift.check();
        if (!found) throw uncomparable();
        return JSON.stringify(bounded(found));
      },
    },
    scope,
  );
}

function bounded({ at, differences, replaced }: FoundDrift): Drift {
  const shown = differences.slice(0, maxDifferences);
  const omitted = differences.length - shown.length;
  return { at, differences: shown, omitted, replaced: replaced.slice(0, maxDifferences) };
}

async function readHealth({ metrics, recent, unreadiness, drift }: HealthSources) {
  const { user, system } = process.cpuUsage();
  const seen = await drift.last();
  return {
    startedAt: Math.round(performance.timeOrigin),
    memoryBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
    problems: await unreadiness(),
    ...(await readOperations(metrics)),
    latencies: await readLatencies(metrics),
    recent: recent(),
    pools: await readPools(metrics),
    live: await readLive(metrics),
    ...(seen && { drift: bounded(seen) }),
  };
}

async function readPools(metrics: Registry): Promise<Health['pools']> {
  const connections = await samplesOf(metrics, 'rowgate_connections');
  const waits = await samplesOf(metrics, 'rowgate_connection_waits');
  return waits.map(({ labels, value: waiting }) => {
    const { pool = '' } = labels;
    const of = (state: string) => sumOf(connections, { pool, state });
    return { pool, used: of('used'), idle: of('idle'), max: of('max'), waiting };
  });
}

const maxPolls = 20;

async function readLive(metrics: Registry): Promise<Health['live']> {
  const read = (name: string) => samplesOf(metrics, `rowgate_${name}`);
  const [open, fetches] = [await read('subscriptions'), await read('subscription_refetches_total')];
  const latency = await read('subscription_latency_seconds');
  const of = (suffix: string) => sumOf(latency.filter(({ name }) => name.endsWith(suffix)));
  const polls = (await read('subscription_polls_total')).map(({ labels, value }) => ({
    ...{ table: labels.table ?? '', count: value },
  }));
  const count = of('_count');
  return {
    queries: sumOf(open, { kind: 'query' }),
    streams: sumOf(open, { kind: 'stream' }),
    cohorts: sumOf(await read('subscription_cohorts')),
    sockets: sumOf(await read('sockets')),
    changed: sumOf(fetches, { outcome: 'changed' }),
    unchanged: sumOf(fetches, { outcome: 'unchanged' }),
    failed: sumOf(fetches, { outcome: 'failed' }),
    messages: sumOf(await read('subscription_messages_total')),
    ...(count > 0 && { meanSeconds: of('_sum') / count }),
    polls: polls.toSorted((one, other) => other.count - one.count).slice(0, maxPolls),
  };
}
