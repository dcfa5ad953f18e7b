import express from 'express';
import type { Logger } from 'pino';
import { type Diagnostic, formatDiagnostic, type Model } from '../../permissions/index.ts';
import { makeMemoryRates } from '../caller/memory-rates.ts';
import type { RateStore } from '../caller/rate-store.ts';
import { AnswerMemory } from '../db/requests/answer-memory.ts';
import { RequestPool } from '../db/requests/request-pool.ts';
import type { ApiOperation } from '../http/endpoint/api-operation.ts';
import type { SecurityScheme } from '../http/endpoint/security-scheme.ts';
import type { Dialect } from './handle-request.ts';
import { Introspector } from './introspection/introspector.ts';
import { PersistedQueries } from './known-documents/persisted-queries.ts';
import { type ModelVersionOptions, openModelVersion, type SharedState } from './model-version.ts';
import { Turns } from './request/turns.ts';
import { hasuraApiOperations, postgraphileApiOperations } from './transport/http/api-operations.ts';
import { explorerApiOperations, makeExplorerRouter } from './transport/http/explorer-router.ts';
import {
  type Endpoint,
  hasuraEndpoints,
  makeGraphqlRouter,
} from './transport/http/graphql-router.ts';

export interface GraphqlServiceOptions extends ModelVersionOptions {
  /** The ways in which callers authenticate, for the OpenAPI document. */
  readonly schemes: readonly SecurityScheme[];
  /** Counts operations for all instances. Undefined: each process has separate counters. */
  readonly rates?: RateStore | undefined;
}

export interface GraphqlService {
  /**
   * Serves `/v1/graphql`, `/v1alpha1/graphql`, the endpoint of another dialect if configured, and the explorer at `/`.
   */
  readonly router: express.Router;
  /** Descriptions of the router's endpoints, for OpenAPI. */
  readonly apiOperations: readonly ApiOperation[];
  /** Returns the current version of Hasura's dialect. */
  dialect(): Dialect;
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
  const { config } = options;
  const shared = openShared(options);
  let version = await openModelVersion(options, shared);
  let reloading: Promise<void> = Promise.resolve();
  const otherDialect = () => {
    if (version.other) return version.other.dialect;
    throw new Error('there is no other dialect');
  };
  const otherRouter = () =>
    version.other && graphqlRouter(options, otherDialect, [stockEndpoint(version.other.endpoint)]);
  let other = otherRouter();
  const reload = async () => {
    version = await openModelVersion(options, shared);
    // Made again at each reload, because the metadata decides the path of PostGraphile's endpoint.
    other = otherRouter();
  };
  const router = express.Router();
  router.use(graphqlRouter(options, () => version.hasura, hasuraEndpoints));
  router.use((request, response, next) => (other ? other(request, response, next) : next()));
  if (config.explorer) router.use(makeExplorerRouter(() => version.hasura.model.headerPrefix));
  return {
    router,
    apiOperations: apiOperationsOf(options, version.other?.endpoint),
    dialect: () => version.hasura,
    model: () => version.hasura.model,
    reload: () => {
      // Reloads run one after the other, so that the last reload serves the latest requested model.
      reloading = reloading.then(reload, reload);
      return reloading;
    },
    hasOtherEnums: () => version.hasOtherEnums(),
    close: async () => {
      await Promise.all([shared.pool.close(), shared.introspector.close()]);
    },
  };
}

function openShared({ config, gatewayUrl, rates, logger }: GraphqlServiceOptions): SharedState {
  const { poolSize: size, limits, operations } = config;
  const { maxWaitMs, statementTimeoutMs, answerMemoryBytes } = limits;
  const connectionString = gatewayUrl;
  const { persistedQueryBytes } = operations;
  return {
    pool: new RequestPool({ connectionString, size, maxWaitMs, statementTimeoutMs, logger }),
    memory: new AnswerMemory(answerMemoryBytes),
    turns: new Turns(),
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

function graphqlRouter(
  { config, logger }: GraphqlServiceOptions,
  dialect: () => Dialect,
  endpoints: readonly Endpoint[],
): express.Router {
  const { bodyBytes, batch: maxBatch } = config.limits;
  return makeGraphqlRouter({ dialect, endpoints, bodyBytes, maxBatch, logger });
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
    ...(config.explorer ? explorerApiOperations : []),
  ];
}
