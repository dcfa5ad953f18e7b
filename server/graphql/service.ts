import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type Diagnostic, formatDiagnostic, type Model } from '../../permissions/index.ts';
import { makeMemoryRates } from '../caller/memory-rates.ts';
import type { RateStore } from '../caller/rate-store.ts';
import { AnswerMemory } from '../db/requests/answer-memory.ts';
import { RequestPool } from '../db/requests/request-pool.ts';
import type { DirectHandler, DirectRoutes } from '../http/direct.ts';
import type { ApiOperation } from '../http/endpoint/api-operation.ts';
import type { SecurityScheme } from '../http/endpoint/security-scheme.ts';
import type { Dialect } from './handle-request.ts';
import { Introspector } from './introspection/introspector.ts';
import { PersistedQueries } from './known-documents/persisted-queries.ts';
import { OperationMetrics } from './metrics/operation-metrics.ts';
import { publishPools } from './metrics/pool-metrics.ts';
import {
  type ModelVersion,
  type ModelVersionOptions,
  openModelVersion,
  type SharedState,
} from './model-version.ts';
import { Turns } from './request/turns.ts';
import type { Registry as ColumnRegistry } from './schema/registry/read-registry.ts';
import type { ChangeSource } from './subscriptions/changes/changes.ts';
import { Subscriptions } from './subscriptions/subscriptions.ts';
import { hasuraApiOperations, postgraphileApiOperations } from './transport/http/api-operations.ts';
import {
  type Endpoint,
  hasuraEndpoints,
  makeGraphqlHandlers,
} from './transport/http/graphql-handlers.ts';
import { Backlog } from './transport/websocket/backlog.ts';

export interface GraphqlServiceOptions extends ModelVersionOptions {
  /** The ways in which callers authenticate, for the OpenAPI document. */
  readonly schemes: readonly SecurityScheme[];
  /** Counts operations for all instances. Undefined: each process has separate counters. */
  readonly rates?: RateStore | undefined;
  /** Reports changes of live tables. */
  readonly changes: ChangeSource;
  /** Reads the session of requests that carry its cookie; absent when there are no sessions. */
  readonly readSession?: RequestHandler | undefined;
  /** The registry for the metrics of operations and subscriptions. Absent: the metrics are not published. */
  readonly registry?: Registry | undefined;
}

export interface GraphqlService extends Pick<DirectRoutes, 'handlerAt'> {
  /** Returns the handler of `/v1/graphql`, `/v1alpha1/graphql`, or the endpoint of another dialect if configured. */
  handlerAt(path: string): DirectHandler | undefined;
  /** Descriptions of all endpoints, for OpenAPI. */
  readonly apiOperations: readonly ApiOperation[];
  readonly subscriptions: Subscriptions;
  readonly metrics: OperationMetrics;
  /** Returns the current version of Hasura's dialect. */
  dialect(): Dialect;
  /** Returns the schema of a role in Hasura's dialect, as the answer to introspection in JSON. */
  describe: ModelVersion['describe'];
  /** Returns the column types and enum values that the current version serves. */
  registry(): ColumnRegistry;
  /** Returns the current model, the checked form of the metadata. A reload replaces it. */
  model(): Model;
  /**
   * Loads the model and the schemas again and then replaces all of them at the same time. After a failure the old ones
   * stay in use.
   */
  reload(): Promise<void>;
  /** Returns true if enum tables have changed since the model was loaded. Logs values that cannot be served. */
  hasOtherEnums(): Promise<boolean>;
  /** Waits for running statements and closes the connections. */
  close(): Promise<void>;
}

/** Reads the model and the database. Rejects if either cannot be read. */
export async function makeGraphqlService(options: GraphqlServiceOptions): Promise<GraphqlService> {
  const shared = openShared(options);
  let version = await openModelVersion(options, shared);
  let reloading: Promise<void> = Promise.resolve();
  const otherDialect = () => {
    if (version.other) return version.other.dialect;
    throw new Error('there is no other dialect');
  };
  const subscriptions = openSubscriptions(options, () => version.hasura);
  const serving = { ...options, subscriptions };
  const hasura = graphqlHandlers(serving, () => version.hasura, hasuraEndpoints);
  const handlers = () => {
    if (!version.other) return hasura;
    const endpoints = [stockEndpoint(version.other.endpoint)];
    return new Map([...graphqlHandlers(serving, otherDialect, endpoints), ...hasura]);
  };
  let byPath = handlers();
  const reload = async () => {
    version = await openModelVersion(options, shared);
    // Made again at each reload, because the metadata decides the path of PostGraphile's endpoint.
    byPath = handlers();
    await subscriptions.recheck();
  };
  return {
    ...{ subscriptions, metrics: shared.metrics },
    handlerAt: (path) => byPath.get(path) ?? byPath.get(canonical(path)),
    apiOperations: apiOperationsOf(options, version.other?.endpoint),
    dialect: () => version.hasura,
    describe: (role) => version.describe(role),
    registry: () => version.registry,
    model: () => version.hasura.model,
    reload: () => {
      // Reloads run one after the other, so that the last reload serves the latest requested model.
      reloading = reloading.then(reload, reload);
      return reloading;
    },
    hasOtherEnums: () => version.hasOtherEnums(),
    close: async () => {
      await subscriptions.close();
      await Promise.all(
        [shared.pool, shared.refetches, shared.introspector].map((one) => one.close()),
      );
    },
  };
}

function openSubscriptions(
  { config, changes: source, registry, logger }: GraphqlServiceOptions,
  dialect: () => Dialect,
): Subscriptions {
  const { subscriptions } = config;
  return new Subscriptions({
    ...{ config: subscriptions, source, dialect, registry, logger },
  });
}

function openShared(options: GraphqlServiceOptions): SharedState {
  const { config, gatewayUrl, changes, rates, registry, logger } = options;
  const { poolSize: size, limits, operations } = config;
  const { maxWaitMs, statementTimeoutMs, answerMemoryBytes } = limits;
  const pooled = { connectionString: gatewayUrl, maxWaitMs, statementTimeoutMs, logger };
  const { persistedQueryBytes } = operations;
  const pool = new RequestPool({ ...pooled, size, onWritten: () => changes.wake() });
  const refetches = new RequestPool({ ...pooled, size: config.subscriptions.poolSize });
  if (registry) publishPools(registry, { operations: pool, subscriptions: refetches });
  return {
    ...{ pool, refetches },
    memory: new AnswerMemory(answerMemoryBytes),
    turns: new Turns(),
    metrics: new OperationMetrics(registry),
    introspector: new Introspector(),
    persisted: persistedQueryBytes > 0 ? new PersistedQueries(persistedQueryBytes) : undefined,
    rates: rates ?? makeMemoryRates(),
    report: reportOnce(logger),
  };
}

/** Logs each finding about the rows of enum tables once, and again only if it disappears and returns. */
function reportOnce(logger: Logger): (findings: readonly Diagnostic[]) => void {
  let reported: readonly string[] = [];
  return (findings) => {
    const texts = findings.map(formatDiagnostic);
    for (const text of texts) if (!reported.includes(text)) logger.warn(text);
    reported = texts;
  };
}

interface Serving extends GraphqlServiceOptions {
  readonly subscriptions: Subscriptions;
}

function graphqlHandlers(
  { config, subscriptions, readSession, logger }: Serving,
  dialect: () => Dialect,
  endpoints: readonly Endpoint[],
): ReadonlyMap<string, DirectHandler> {
  const { bodyBytes, batch: maxBatch } = config.limits;
  const { keepAliveMs, backlogBytes } = config.sockets;
  const backlog = new Backlog(backlogBytes, (bytes) =>
    logger.warn({ bytes }, 'cut off the event stream whose client takes its answers slowest'),
  );
  const handlers = makeGraphqlHandlers({
    ...{ dialect, endpoints, bodyBytes, maxBatch, logger },
    ...{ subscriptions, readSession, keepAliveMs, backlog },
  });
  return new Map([...handlers].map(([path, handler]) => [canonical(path), handler]));
}

/** Paths are compared as Express compares them: without regard to case and to a slash at the end. */
function canonical(path: string): string {
  return path.toLowerCase().replace(/\/$/, '');
}

function stockEndpoint(path: string): Endpoint {
  // A plan reveals tables and conditions, which only the authors of the rules may see.
  const reason = 'plans are not explained here; leave the header out';
  return { path, errorStatus: 200, refused: { header: 'x-postgraphile-explain', reason } };
}

function apiOperationsOf(
  { config, schemes }: GraphqlServiceOptions,
  other: string | undefined,
): readonly ApiOperation[] {
  const described = { headerPrefix: config.headerPrefix, schemes };
  return [
    ...hasuraApiOperations(described),
    ...(other === undefined ? [] : postgraphileApiOperations(described, other)),
  ];
}
