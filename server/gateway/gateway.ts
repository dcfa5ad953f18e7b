import type { RequestHandler } from 'express';
import pg from 'pg';
import type pino from 'pino';
import type { Registry } from 'prom-client';
import { loadModel, type Model } from '../../permissions/index.ts';
import { type ActionServices, actionSource } from '../actions/action-source.ts';
import type { Authenticator } from '../caller/authenticate.ts';
import { pageOrigins } from '../caller/cross-site.ts';
import type { RateStore } from '../caller/rate-store.ts';
import { type Closers, openWhole } from '../closers.ts';
import { credentialHeaders } from '../config/authentication/authentication-config.ts';
import type { Config } from '../config/config.ts';
import type { Part } from '../config/serve-options.ts';
import type { ServerLogin } from '../db/logins/logins.ts';
import { listenForApplied } from '../db/notices/applied-listener.ts';
import type { DatabaseAccess } from '../db/open-database.ts';
import { appliedFingerprint, appliedVersion } from '../db/preparation.ts';
import { errorMessage } from '../errors.ts';
import type { Registry as ColumnRegistry } from '../graphql/schema/registry/read-registry.ts';
import type { GraphqlService } from '../graphql/service.ts';
import type { Sockets } from '../graphql/transport/websocket/sockets.ts';
import type { DirectRoutes } from '../http/direct.ts';
import type { ApiOperation } from '../http/endpoint/api-operation.ts';
import type { SecurityScheme } from '../http/endpoint/security-scheme.ts';
import { releaseMemory } from '../release-memory.ts';
import { checkDriftOnce, type DriftResult, type DriftWatch, watchDrift } from './drift-watch.ts';
import { Reloading } from './reloading.ts';
import { openServedModel, type ServedModel } from './served-model.ts';
import { throttle } from './throttle.ts';

const statusTimeoutMs = 5000;
/** Maximum time for reading the catalogs, which takes seconds for thousands of tables or on a busy server. */
const loadTimeoutMs = 120_000;
/** Minimum time between two checks after notices. Any database login can send notices in large numbers. */
const noticePauseMs = 1000;

/** The GraphQL API over HTTP and WebSockets. */
export interface DataApi {
  readonly handlerAt: DirectRoutes['handlerAt'];
  /** The documentation of all routes. */
  readonly apiOperations: readonly ApiOperation[];
  readonly sockets: Sockets;
  readonly describe: GraphqlService['describe'];
  /** Returns the column types and enum values that are served now. */
  registry(): ColumnRegistry;
  readonly subscriptions: GraphqlService['subscriptions'];
  readonly metrics: GraphqlService['metrics'];
}

/** Serves one database by the rules of one metadata folder, and reloads after each apply. */
export interface Gateway {
  /** Absent when this process does not serve GraphQL. */
  readonly data: DataApi | undefined;
  /** Returns the current rules, which were loaded last. */
  model(): Model;
  readonly drift: {
    /** Returns the result of the last check; undefined when there was none. */
    last(): Promise<DriftResult | undefined>;
    /** Checks now. Returns undefined when the database cannot be compared; the log has the reason. */
    check(): Promise<DriftResult | undefined>;
  };
  /** Returns the reasons why this server is not ready; empty when it serves the applied rules. */
  unreadiness(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly config: Config;
  readonly database: DatabaseAccess;
  readonly login: ServerLogin;
  /** The authenticators in the order in which they are tried. */
  readonly authenticators: readonly Authenticator[];
  /** The ways in which callers of the data API authenticate, for the OpenAPI document. */
  readonly schemes: readonly SecurityScheme[];
  /** Counts operations of all instances. Absent: each process has separate counters. */
  readonly rates: RateStore | undefined;
  /** Middleware that reads the session of a cookie; absent when this process accepts no sessions. */
  readonly readSession: RequestHandler | undefined;
  /** The registry for metrics; absent: this process publishes none. */
  readonly registry: Registry | undefined;
  /** The services for action handlers; absent: no actions are served. */
  readonly actions?: ActionServices | undefined;
  /** The metadata folder. */
  readonly metadata: string;
  /** The parts that this process runs. */
  readonly parts: ReadonlySet<Part>;
  /** Called after a reload of the rules. Must not throw. */
  readonly onReload?: () => Promise<void>;
  readonly logger: pino.Logger;
}

/** Loads the metadata and opens the gateway. @throws MetadataError with all mistakes in the metadata */
export function openGateway(options: GatewayOptions): Promise<Gateway> {
  return openWhole((closers) => open(options, closers));
}

async function open(options: GatewayOptions, closers: Closers): Promise<Gateway> {
  const { config, login, metadata, logger } = options;
  const pool = statusPool(login.url, logger);
  closers.add(() => pool.end());
  let loaded: Model | undefined;
  const load = async () => {
    const { rolePrefix, headerPrefix, inferFunctionPermissions } = config;
    const naming = { rolePrefix, headerPrefix, inferFunctionPermissions };
    loaded = await loadModel({ metadata, client: pool, timeoutMs: loadTimeoutMs, ...naming });
    return loaded;
  };
  // The version is read before the rules. If an apply runs in between, the version differs at the next check and the
  // rules are loaded again.
  const servedVersion = await appliedVersion(pool).catch(() => undefined);
  const service = options.parts.has('graphql') ? await openService(options, load) : undefined;
  const served: ServedModel = service ?? (await openServedModel(load));
  closers.add(() => served.close());
  releaseAfter(served.model());
  for (const problem of await unappliedProblems(pool, () => loaded?.fingerprint)) {
    logger.error(problem);
  }
  const data = service && (await dataApiOf(options, service));
  const reloading = new Reloading({
    ...{ served, servedVersion, logger },
    appliedVersion: () => appliedVersion(pool),
  });
  // The server answers requests during the first check, which takes seconds for many rules. It is ready afterwards.
  const watched = driftOptions(options, () => loaded ?? served.model());
  const drift = driftWatch(options, watched);
  closers.add(async () => (await drift)?.close());
  updateOnNotices(options, { reloading, drift }, closers);
  return {
    data,
    model: () => served.model(),
    drift: {
      last: async () => (await drift)?.result,
      check: async () => {
        const watch = await drift;
        if (!watch) return checkDriftOnce(watched);
        const began = Date.now();
        await watch.check();
        return watch.result && watch.result.at >= began ? watch.result : undefined;
      },
    },
    unreadiness: async () => [
      ...reloading.problems,
      ...(await unappliedProblems(pool, () => loaded?.fingerprint)),
      ...((await drift)?.problems ?? []),
    ],
    close: () => closers.close(),
  };
}

/** Number of pairs of a role and a table from which reading and comparing the rules leaves hundreds of mebibytes behind. */
const manyPairs = 1500;

/** Releases the memory that was needed to read or compare the rules, if they are many. */
function releaseAfter({ roles, tables }: Model): void {
  if (roles.size * tables.size >= manyPairs) releaseMemory();
}

/** Reloads the rules and checks for drift after notices from the database, at a limited rate. */
function updateOnNotices(
  { database, onReload, logger }: GatewayOptions,
  {
    reloading,
    drift,
  }: { readonly reloading: Reloading; readonly drift: ReturnType<typeof driftWatch> },
  closers: Closers,
): void {
  const updates = throttle(async () => {
    const outcome = await reloading.update();
    if (outcome === 'unneeded') return;
    if (outcome === 'done') await onReload?.();
    await (await drift)?.check();
    // When the database was unreachable, another update is requested. After a mistake in the files a new attempt would
    // be useless: only another apply, which sends a notice, can remove the mistake.
    if (outcome === 'unreadable') void updates.request();
  }, noticePauseMs);
  closers.add(() => updates.close());
  const onEnumRows = () => {
    reloading.enumsMayDiffer = true;
    return updates.request();
  };
  const listener = listenForApplied({
    url: () => database.directUrl(),
    onApplied: () => updates.request(),
    onEnumRows,
    onListening: onEnumRows,
    logger,
  });
  closers.add(() => listener.close());
}

async function openService(
  options: GatewayOptions,
  loadModel: () => Promise<Model>,
): Promise<GraphqlService> {
  const { config, login, authenticators, schemes, rates, actions, logger } = options;
  // Imported late, because the module loads PostGraphile, which takes long. Mistakes in the configuration are reported
  // earlier.
  const { makeGraphqlService } = await import('../graphql/service.ts');
  const { openPostGraphile } = await import('../postgraphile/open-dialect.ts');
  const openOther = openPostGraphile(actions ? [actionSource(actions)] : []);
  const gatewayUrl = login.url;
  const calling = { authenticators, schemes, rates, openOther };
  const { readSession, registry } = options;
  const { ChangeReader } = await import('../graphql/subscriptions/changes/change-reader.ts');
  const changes = new ChangeReader({ url: () => options.database.directUrl(), logger });
  const subscribing = { changes, readSession, registry };
  try {
    return await makeGraphqlService({
      ...{ config, gatewayUrl, loadModel, logger },
      ...{ ...calling, ...subscribing },
    });
  } catch (error) {
    await changes.close();
    throw error;
  }
}

async function dataApiOf(
  { config, readSession, registry, logger }: GatewayOptions,
  service: GraphqlService,
): Promise<DataApi> {
  const { Sockets } = await import('../graphql/transport/websocket/sockets.ts');
  const { appOrigins, authentication } = config.callers;
  const sockets = new Sockets({
    ...{ readSession, registry, logger },
    dialect: () => service.dialect(),
    subscriptions: service.subscriptions,
    maxSubscriptions: config.subscriptions.maxPerSocket,
    credentialHeaders: credentialHeaders(authentication),
    limits: config.sockets,
    messageBytes: config.limits.bodyBytes,
    origins: pageOrigins(appOrigins, config.baseUrl),
  });
  const { handlerAt, apiOperations, describe, subscriptions, metrics, registry: columns } = service;
  const shared = { describe, subscriptions, metrics, registry: columns };
  return { handlerAt, apiOperations, sockets, ...shared };
}

async function driftWatch(
  { config: { driftInterval } }: GatewayOptions,
  watched: ReturnType<typeof driftOptions>,
): Promise<DriftWatch | undefined> {
  if (driftInterval === 0) return undefined;
  return watchDrift({ ...watched, intervalMs: driftInterval * 1000 });
}

function driftOptions({ login, logger }: GatewayOptions, model: () => Model) {
  return {
    ...{ url: login.url, logger },
    subject: () => ({ model: model(), login: login.name }),
    onCompared: () => releaseAfter(model()),
  };
}

/** Opens the small pool for the gateway's own queries. Requests have a separate pool. */
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

/** Compares the fingerprints of the loaded rules and of the applied rules. */
async function unappliedProblems(
  pool: pg.Pool,
  loaded: () => string | undefined,
): Promise<readonly string[]> {
  try {
    if ((await appliedFingerprint(pool)) === loaded()) return [];
    return [
      'other rules were applied to the database than this server loads: the metadata folder or the version of Rowgate differs; run rowgate apply',
    ];
  } catch (error) {
    return [`the database does not answer: ${errorMessage(error)}`];
  }
}
