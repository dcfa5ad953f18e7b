import express from 'express';
import type { Logger } from 'pino';
import { formatDiagnostic, type Model } from '../../permissions/index.ts';
import type { Config } from '../config.ts';
import { type Authenticator, identify } from '../context.ts';
import { AnswerMemory } from '../db/answer-memory.ts';
import { RequestPool } from '../db/request-pool.ts';
import { makeMemoryRates } from '../memory-rates.ts';
import type { RateStore } from '../rate-store.ts';
import type { Operation } from '../rest/endpoint.ts';
import { debugHeaders } from './http/debug-headers.ts';
import { explorerOperations, makeExplorerRouter } from './http/explorer-router.ts';
import { graphqlOperations } from './http/graphql-operations.ts';
import { makeGraphqlRouter } from './http/graphql-router.ts';
import { PersistedQueries } from './operations/persisted-queries.ts';
import { Turns } from './run/turns.ts';
import { type Kept, type ServingOptions, serve } from './serving.ts';
import type { Entrance } from './socket/visitor.ts';

export interface GraphqlServiceOptions extends ServingOptions {
  /** In the order in which they are tried. */
  readonly authenticators: readonly Authenticator[];
  /** Counts operations for all instances; absent: each process counts its own. */
  readonly rates?: RateStore | undefined;
}

export interface GraphqlService {
  /** `/v1/graphql`, `/v1alpha1/graphql` and, where configured, the explorer at `/`. */
  readonly router: express.Router;
  /** What the router answers. */
  readonly operations: readonly Operation[];
  /** Who sends a request, however it came. @throws CallerError */
  enter(request: express.Request): Promise<Entrance>;
  /** What is served now. */
  model(): Model;
  /** Loads model and schemas anew and swaps them at once; on failure the old ones stay. */
  reload(): Promise<void>;
  /** Whether enum tables hold other values than those that are served; what cannot be one is logged. */
  hasOtherEnums(): Promise<boolean>;
  /** Waits for running statements and closes the connections. */
  close(): Promise<void>;
}

/** Reads the model and the database once; rejects where either cannot be read. */
export async function makeGraphqlService(options: GraphqlServiceOptions): Promise<GraphqlService> {
  const { config, gatewayUrl, logger } = options;
  const pool = new RequestPool({
    connectionString: gatewayUrl,
    size: config.poolSize,
    maxWaitMs: config.limits.maxWaitMs,
    statementTimeoutMs: config.limits.statementTimeoutMs,
    logger,
  });
  const { persistedQueryBytes } = config.operations;
  const kept: Kept = {
    pool,
    memory: new AnswerMemory(config.limits.answerMemoryBytes),
    turns: new Turns(),
    persisted: persistedQueryBytes > 0 ? new PersistedQueries(persistedQueryBytes) : undefined,
    rates: options.rates ?? makeMemoryRates(),
    tell: makeTeller(logger),
  };
  let serving = await serve(options, kept);
  let reloading: Promise<void> = Promise.resolve();
  const reloadOnce = async () => {
    serving = await serve(options, kept);
  };
  const enter = async (request: express.Request) => {
    const { model, sessionOf } = serving;
    const caller = await identify(options.authenticators, request, model);
    return { caller, session: sessionOf({ caller, address: request.ip }) };
  };
  return {
    router: makeRouter(options, enter, () => serving.model.headerPrefix),
    operations: operationsOf(config),
    enter,
    model: () => serving.model,
    reload: () => {
      // One after the other, so that the last to be asked for is the last to be served.
      reloading = reloading.then(reloadOnce, reloadOnce);
      return reloading;
    },
    hasOtherEnums: () => serving.hasOtherEnums(),
    close: () => pool.close(),
  };
}

/** Logs what is wrong with rows of enum tables once, for as long as it stays so. */
function makeTeller(logger: Logger): Kept['tell'] {
  let told: readonly string[] = [];
  return (findings) => {
    const texts = findings.map(formatDiagnostic);
    for (const text of texts) if (!told.includes(text)) logger.warn(text);
    told = texts;
  };
}

function makeRouter(
  options: GraphqlServiceOptions,
  enter: GraphqlService['enter'],
  headerPrefix: () => string,
): express.Router {
  const { limits, explorer } = options.config;
  const router = express.Router();
  router.use(
    makeGraphqlRouter({
      open: async (request, response) => {
        const { caller, session } = await enter(request);
        debugHeaders(caller, response);
        return session;
      },
      bodyBytes: limits.bodyBytes,
      maxBatch: limits.batch,
      logger: options.logger,
    }),
  );
  if (explorer) router.use(makeExplorerRouter(headerPrefix));
  return router;
}

function operationsOf({ explorer, headerPrefix }: Config): readonly Operation[] {
  return [...graphqlOperations(headerPrefix), ...(explorer ? explorerOperations : [])];
}
