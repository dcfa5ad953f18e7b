import type express from 'express';
import pg from 'pg';
import type pino from 'pino';
import { loadModel, MetadataError, type Model } from '../permissions/index.ts';
import { type Closers, openWhole } from './closers.ts';
import type { Config } from './config.ts';
import type { Authenticator } from './context.ts';
import { listenForApplied } from './db/applied-listener.ts';
import type { ServerLogin } from './db/logins.ts';
import type { DatabaseAccess } from './db/open-database.ts';
import { appliedFingerprint } from './db/preparation.ts';
import { type DriftWatch, watchDrift } from './drift-watch.ts';
import { errorMessage } from './errors.ts';
import type { GraphqlService } from './graphql/service.ts';
import { paced } from './paced.ts';
import type { Operation } from './rest/endpoint.ts';

const statusTimeoutMs = 5000;
/** Between two reloads: whoever may connect to the database may send notices. */
const noticePauseMs = 1000;

/** GraphQL over one database by the rules of one metadata folder, kept up with what is applied. */
export interface Gateway {
  readonly router: express.Router;
  /** What its router answers. */
  readonly operations: readonly Operation[];
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
  /** The metadata folder. */
  readonly metadata: string;
  /** Called after the rules were loaded anew. Must not throw. */
  readonly onReload?: () => Promise<void>;
  readonly logger: pino.Logger;
}

/** Loads the metadata and builds what serves it. Throws MetadataError with every mistake. */
export function openGateway(options: GatewayOptions): Promise<Gateway> {
  return openWhole((closers) => open(options, closers));
}

async function open(options: GatewayOptions, closers: Closers): Promise<Gateway> {
  const { config, database, login, authenticators, metadata, logger } = options;
  const pool = statusPool(login.url, logger);
  closers.add(() => pool.end());
  let loaded: Model | undefined;
  const load = async () => {
    const { rolePrefix, headerPrefix } = config;
    loaded = await loadModel({ metadata, client: pool, rolePrefix, headerPrefix });
    return loaded;
  };
  // Loaded late: it brings all of PostGraphile along, and mistakes of configuration should be told before.
  const { makeGraphqlService } = await import('./graphql/service.ts');
  const service = await makeGraphqlService({
    config,
    gatewayUrl: login.url,
    authenticators,
    loadModel: load,
    logger,
  });
  closers.add(() => service.close());
  const reloading = new Reloading(service, logger);
  const drift = await driftWatch(options, () => loaded);
  closers.add(async () => drift?.close());
  const taking = paced(async () => {
    const outcome = await reloading.reload();
    if (outcome === 'done') await options.onReload?.();
    await drift?.look();
    // A database that did not answer may answer the next time; a mistake in the files waits for the next notice.
    if (outcome === 'unreadable') void taking.request();
  }, noticePauseMs);
  closers.add(() => taking.close());
  const listener = listenForApplied({
    url: () => database.directUrl(),
    hasMissed: async () => (await differences(pool, () => loaded?.fingerprint)).length > 0,
    onApplied: () => taking.request(),
    logger,
  });
  closers.add(() => listener.close());
  return {
    router: service.router,
    operations: service.operations,
    model: () => service.model(),
    unreadiness: async () => [
      ...reloading.problems,
      ...(await differences(pool, () => loaded?.fingerprint)),
      ...(drift?.problems ?? []),
    ],
    close: () => closers.close(),
  };
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

/** Reloads, and remembers whether that went well. */
class Reloading {
  readonly #service: GraphqlService;
  readonly #logger: pino.Logger;
  /** Why the last one failed; the rules from before it are served then. */
  problems: readonly string[] = [];

  constructor(service: GraphqlService, logger: pino.Logger) {
    this.#service = service;
    this.#logger = logger;
  }

  async reload(): Promise<'done' | 'mistaken' | 'unreadable'> {
    try {
      await this.#service.reload();
      this.problems = [];
      this.#logger.info('reloaded the metadata');
      return 'done';
    } catch (error) {
      this.problems = ['the metadata that was applied last cannot be loaded; the log says why'];
      this.#logger.error({ err: error }, 'cannot reload the metadata; the old rules stay in force');
      return error instanceof MetadataError ? 'mistaken' : 'unreadable';
    }
  }
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
