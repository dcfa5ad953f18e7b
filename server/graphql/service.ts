import express from 'express';
import type { Logger } from 'pino';
import { formatDiagnostic, type Model } from '../../permissions/index.ts';
import { type Authenticator, identify } from '../caller/authenticate.ts';
import { makeMemoryRates } from '../caller/memory-rates.ts';
import type { RateStore } from '../caller/rate-store.ts';
import type { Config } from '../config/config.ts';
import { AnswerMemory } from '../db/requests/answer-memory.ts';
import { RequestPool } from '../db/requests/request-pool.ts';
import type { Operation } from '../http/endpoint.ts';
import { PersistedQueries } from './request/persisted-queries.ts';
import { Turns } from './request/turns.ts';
import { RequestError } from './request-error.ts';
import { type Kept, type ServingOptions, serve } from './serving.ts';
import { debugHeaders } from './transport/http/debug-headers.ts';
import { explorerOperations, makeExplorerRouter } from './transport/http/explorer-router.ts';
import { graphqlOperations, otherGraphqlOperations } from './transport/http/graphql-operations.ts';
import { type GraphqlRouterOptions, makeGraphqlRouter } from './transport/http/graphql-router.ts';
import type { Entrance } from './transport/websocket/visitor.ts';

export interface GraphqlServiceOptions extends ServingOptions {
  /** In the order in which they are tried. */
  readonly authenticators: readonly Authenticator[];
  /** Counts operations for all instances; absent: each process counts its own. */
  readonly rates?: RateStore | undefined;
}

export interface GraphqlService {
  /** `/v1/graphql`, `/v1alpha1/graphql`, where configured another dialect's endpoint, and the explorer at `/`. */
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
  const others = express.Router();
  const mountOther = () => {
    const path = serving.other?.endpoint;
    // It is of the metadata, which another apply may change.
    others.stack.length = 0;
    if (path === undefined) return;
    const endpoints = [{ path, errorStatus: 200 }] as const;
    others.use(makeGraphqlRouter({ ...routerOptions(options, enterOther), endpoints }));
  };
  const reloadOnce = async () => {
    serving = await serve(options, kept);
    mountOther();
  };
  const enterOther = async (request: express.Request) => {
    const { model, other } = serving;
    if (!other) throw new Error('there is no other dialect');
    refuseExplain(request);
    const caller = await identify(options.authenticators, request, model);
    return {
      caller,
      session: other.sessionOf({ caller, address: request.ip, headers: request.headers }),
    };
  };
  const enter = async (request: express.Request) => {
    const { model, sessionOf } = serving;
    const caller = await identify(options.authenticators, request, model);
    return {
      caller,
      session: sessionOf({ caller, address: request.ip, headers: request.headers }),
    };
  };
  mountOther();
  return {
    router: makeRouter(options, enter, others, () => serving.model.headerPrefix),
    operations: operationsOf(config, serving.other?.endpoint),
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

// What a plan says of tables and conditions is for those who make the rules.
function refuseExplain(request: express.Request): void {
  if (request.get('x-postgraphile-explain') === undefined) return;
  throw new RequestError('not-supported', 'plans are not explained here; leave the header out');
}

function routerOptions(
  { config, logger }: GraphqlServiceOptions,
  enter: GraphqlService['enter'],
): GraphqlRouterOptions {
  return {
    open: async (request, response) => {
      const { caller, session } = await enter(request);
      debugHeaders(caller, response);
      return session;
    },
    bodyBytes: config.limits.bodyBytes,
    maxBatch: config.limits.batch,
    logger,
  };
}

function makeRouter(
  options: GraphqlServiceOptions,
  enter: GraphqlService['enter'],
  others: express.Router,
  headerPrefix: () => string,
): express.Router {
  const router = express.Router();
  router.use(makeGraphqlRouter(routerOptions(options, enter)));
  router.use(others);
  if (options.config.explorer) router.use(makeExplorerRouter(headerPrefix));
  return router;
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
