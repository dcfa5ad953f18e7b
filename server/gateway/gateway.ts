import type express from 'express';
import pg from 'pg';
import type pino from 'pino';
import type { Registry } from 'prom-client';
import { loadModel, type Model } from '../../permissions/index.ts';
import { type ActionServices, actionSource } from '../actions/action-source.ts';
import type { Authenticator } from '../caller/authenticate.ts';
import type { RateStore } from '../caller/rate-store.ts';
import { type Closers, openWhole } from '../closers.ts';
import type { Config } from '../config/config.ts';
import type { Part } from '../config/serve-options.ts';
import type { ServerLogin } from '../db/logins/logins.ts';
import { listenForApplied } from '../db/notices/applied-listener.ts';
import type { DatabaseAccess } from '../db/open-database.ts';
import { appliedFingerprint, appliedVersion } from '../db/preparation.ts';
import { errorMessage } from '../errors.ts';
import type { GraphqlService } from '../graphql/service.ts';
import type { Sockets } from '../graphql/transport/websocket/sockets.ts';
import type { ApiOperation } from '../http/api-operation.ts';
import { type DriftWatch, watchDrift } from './drift-watch.ts';
import { paced } from './paced.ts';
import { Reloading } from './reloading.ts';
import { openRules, type Rules } from './rules.ts';

const statusTimeoutMs = 5000;
/** Between two looks at the database after notices: any login that can connect may send them. */
const noticePauseMs = 1000;

/** What answers GraphQL. */
export interface DataApi {
  readonly router: express.Router;
  /** What its router answers. */
  readonly apiOperations: readonly ApiOperation[];
  readonly sockets: Sockets;
}

/** One database by the rules of one metadata folder, kept up with what is applied. */
export interface Gateway {
  /** Absent where this process answers no GraphQL. */
  readonly data: DataApi | undefined;
  /** The rules that were loaded last. */
  model(): Model;
  /** Why requests should go elsewhere; empty where they are answered by the rules that were applied. */
  unreadiness(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly config: Config;
  readonly database: DatabaseAccess;
  readonly login: ServerLogin;
  /** In the order in which they are tried. */
  readonly authenticators: readonly Authenticator[];
  /** Counts operations for all instances; absent: each process counts its own. */
  readonly rates: RateStore | undefined;
  /** Reads the session of requests that bring its cookie; absent where sessions do not count. */
  readonly readSession: express.RequestHandler | undefined;
  /** Where it counts; absent: nobody asks. */
  readonly registry: Registry | undefined;
  /** What actions are called with; absent: none is served. */
  readonly actions?: ActionServices | undefined;
  /** The metadata folder. */
  readonly metadata: string;
  /** What this process does. */
  readonly parts: ReadonlySet<Part>;
  /** Called after the rules were loaded anew. Must not throw. */
  readonly onReload?: () => Promise<void>;
  readonly logger: pino.Logger;
}

/** Loads the metadata and builds what serves it. Throws MetadataError with every mistake. */
export function openGateway(options: GatewayOptions): Promise<Gateway> {
  return openWhole((closers) => open(options, closers));
}

async function open(options: GatewayOptions, closers: Closers): Promise<Gateway> {
  const { config, database, login, metadata, logger } = options;
  const pool = statusPool(login.url, logger);
  closers.add(() => pool.end());
  let loaded: Model | undefined;
  const load = async () => {
    const { rolePrefix, headerPrefix, inferFunctionPermissions } = config;
    const naming = { rolePrefix, headerPrefix, inferFunctionPermissions };
    loaded = await loadModel({ metadata, client: pool, ...naming });
    return loaded;
  };
  // Read before the rules: an apply meanwhile is then taken up later.
  const servedVersion = await appliedVersion(pool).catch(() => undefined);
  const service = options.parts.has('graphql') ? await openService(options, load) : undefined;
  const rules: Rules = service ?? (await openRules(load));
  closers.add(() => rules.close());
  const data = service && (await dataApiOf(options, service));
  const reloading = new Reloading({
    ...{ rules, servedVersion, logger },
    appliedVersion: () => appliedVersion(pool),
  });
  const drift = await driftWatch(options, () => loaded);
  closers.add(async () => drift?.close());
  const taking = paced(async () => {
    const outcome = await reloading.takeUp();
    if (outcome === 'unneeded') return;
    if (outcome === 'done') await options.onReload?.();
    await drift?.look();
    // A database that did not answer may answer the next time; a mistake in the files waits for the next apply.
    if (outcome === 'unreadable') void taking.request();
  }, noticePauseMs);
  const onEnumRows = () => {
    reloading.enumsMayDiffer = true;
    return taking.request();
  };
  closers.add(() => taking.close());
  const listener = listenForApplied({
    url: () => database.directUrl(),
    onApplied: () => taking.request(),
    onEnumRows,
    onListening: onEnumRows,
    logger,
  });
  closers.add(() => listener.close());
  return {
    data,
    model: () => rules.model(),
    unreadiness: async () => [
      ...reloading.problems,
      ...(await differences(pool, () => loaded?.fingerprint)),
      ...(drift?.problems ?? []),
    ],
    close: () => closers.close(),
  };
}

async function openService(
  { config, login, authenticators, rates, actions, logger }: GatewayOptions,
  loadModel: () => Promise<Model>,
): Promise<GraphqlService> {
  // Loaded late: it brings all of PostGraphile along, and mistakes of configuration should be told before.
  const { makeGraphqlService } = await import('../graphql/service.ts');
  const { openPostGraphile } = await import('../postgraphile/open-dialect.ts');
  const openOther = openPostGraphile(actions ? [actionSource(actions)] : []);
  const gatewayUrl = login.url;
  const calling = { authenticators, rates, openOther };
  return makeGraphqlService({ config, gatewayUrl, ...calling, loadModel, logger });
}

async function dataApiOf(
  { config, readSession, registry, logger }: GatewayOptions,
  service: GraphqlService,
): Promise<DataApi> {
  const { Sockets } = await import('../graphql/transport/websocket/sockets.ts');
  const { appOrigins } = config.callers;
  const sockets = new Sockets({
    ...{ readSession, registry, logger },
    dialect: () => service.dialect(),
    limits: config.sockets,
    messageBytes: config.limits.bodyBytes,
    origins: new Set([...appOrigins, new URL(config.baseUrl).origin]),
  });
  return { router: service.router, apiOperations: service.apiOperations, sockets };
}

async function driftWatch(
  { config, login, logger }: GatewayOptions,
  loaded: () => Model | undefined,
): Promise<DriftWatch | undefined> {
  const model = loaded();
  if (config.driftInterval === 0 || !model) return undefined;
  return watchDrift({
    url: login.url,
    subject: () => ({ model: loaded() ?? model, login: login.name }),
    intervalMs: config.driftInterval * 1000,
    logger,
  });
}

/** A connection or two for what the process itself asks; requests have a pool of their own. */
function statusPool(url: string, logger: pino.Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: statusTimeoutMs,
    query_timeout: statusTimeoutMs,
  });
  pool.on('error', (error) => logger.debug({ reason: error.message }, 'idle connection lost'));
  return pool;
}

async function differences(
  pool: pg.Pool,
  loaded: () => string | undefined,
): Promise<readonly string[]> {
  try {
    if ((await appliedFingerprint(pool)) === loaded()) return [];
    return ['the metadata folder is not what was applied to the database; run rowgate apply'];
  } catch (error) {
    return [`the database does not answer: ${errorMessage(error)}`];
  }
}
