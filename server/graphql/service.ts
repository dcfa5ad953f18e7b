import express from 'express';
import type { Logger } from 'pino';
import { type Diagnostic, formatDiagnostic, type Model } from '../../permissions/index.ts';
import { makeMemoryRates } from '../caller/memory-rates.ts';
import type { RateStore } from '../caller/rate-store.ts';
import type { Config } from '../config/config.ts';
import { AnswerMemory } from '../db/requests/answer-memory.ts';
import { RequestPool } from '../db/requests/request-pool.ts';
import type { Operation } from '../http/endpoint/operation.ts';
import type { Dialect } from './handle-request.ts';
import { PersistedQueries } from './known-documents/persisted-queries.ts';
import { Turns } from './request/turns.ts';
import { type ServingOptions, type SharedState, serve } from './serving.ts';
import { explorerOperations, makeExplorerRouter } from './transport/http/explorer-router.ts';
import { graphqlOperations, otherGraphqlOperations } from './transport/http/graphql-operations.ts';
import {
  type Endpoint,
  hasuraEndpoints,
  makeGraphqlRouter,
} from './transport/http/graphql-router.ts';

export interface GraphqlServiceOptions extends ServingOptions {
  /** Counts operations for all instances; absent: each process counts its own. */
  readonly rates?: RateStore | undefined;
}

export interface GraphqlService {
  /** `/v1/graphql`, `/v1alpha1/graphql`, where configured another dialect's endpoint, and the explorer at `/`. */
  readonly router: express.Router;
  /** Describes the endpoints of the router. */
  readonly operations: readonly Operation[];
  /** Hasura's dialect, as it is served now. */
  dialect(): Dialect;
  /** The model that is served now. */
  model(): Model;
  /** Loads model and schemas anew and swaps them at once; on failure the old ones stay. */
  reload(): Promise<void>;
  /** Whether enum tables hold other values than those that are served; values that cannot be served are logged. */
  hasOtherEnums(): Promise<boolean>;
  /** Waits for running statements and closes the connections. */
  close(): Promise<void>;
}

/** Reads the model and the database once; rejects where either cannot be read. */
export async function makeGraphqlService(options: GraphqlServiceOptions): Promise<GraphqlService> {
  const { config } = options;
  const shared = openShared(options);
  let serving = await serve(options, shared);
  let reloading: Promise<void> = Promise.resolve();
  const otherDialect = () => {
    if (serving.other) return serving.other.dialect;
    throw new Error('there is no other dialect');
  };
  const otherRouter = () =>
    serving.other && graphqlRouter(options, otherDialect, [stockEndpoint(serving.other.endpoint)]);
  let other = otherRouter();
  const reload = async () => {
    serving = await serve(options, shared);
    // The metadata decides the path of its endpoint.
    other = otherRouter();
  };
  const router = express.Router();
  router.use(graphqlRouter(options, () => serving.hasura, hasuraEndpoints));
  router.use((request, response, next) => (other ? other(request, response, next) : next()));
  if (config.explorer) router.use(makeExplorerRouter(() => serving.hasura.model.headerPrefix));
  return {
    router,
    operations: operationsOf(config, serving.other?.endpoint),
    dialect: () => serving.hasura,
    model: () => serving.hasura.model,
    reload: () => {
      // One after the other, so that the last model to be asked for is the last to be served.
      reloading = reloading.then(reload, reload);
      return reloading;
    },
    hasOtherEnums: () => serving.hasOtherEnums(),
    close: () => shared.pool.close(),
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
    persisted: persistedQueryBytes > 0 ? new PersistedQueries(persistedQueryBytes) : undefined,
    rates: rates ?? makeMemoryRates(),
    report: reportOnce(logger),
  };
}

/** Logs a finding about the rows of enum tables once, for as long as it stays so. */
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
  // A plan shows tables and conditions, which only the authors of the rules may see.
  const reason = 'plans are not explained here; leave the header out';
  return { path, errorStatus: 200, refused: { header: 'x-postgraphile-explain', reason } };
}

function operationsOf(
  { explorer, headerPrefix }: Config,
  other: string | undefined,
): readonly Operation[] {
  return [
    ...graphqlOperations(headerPrefix),
    ...(other === undefined ? [] : otherGraphqlOperations(headerPrefix, other)),
    ...(explorer ? explorerOperations : []),
  ];
}
