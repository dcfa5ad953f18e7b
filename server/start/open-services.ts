import type { RequestHandler } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import type { Registry } from 'prom-client';
import type { Model } from '../../permissions/index.ts';
import type { ConfiguredApplication, RunningApplication } from '../application.ts';
import type { Authenticator } from '../caller/authenticate.ts';
import { makeMemoryRates } from '../caller/memory-rates.ts';
import type { RateStore } from '../caller/rate-store.ts';
import type { WrongSecrets } from '../caller/wrong-secrets.ts';
import { type Closers, openWhole } from '../closers.ts';
import type { Config } from '../config/config.ts';
import type { Part } from '../config/serve-options.ts';
import { openSidecarPool } from '../db/logins/sidecar-pool.ts';
import { resolvePlatformSecrets } from '../db/server-secrets.ts';
import { openMetrics } from '../events/metrics/open-metrics.ts';
import type { Endpoint } from '../http/endpoint/define-endpoint.ts';
import type { SecurityScheme } from '../http/endpoint/security-scheme.ts';
import { makeWrongSecrets } from '../http/security/count-wrong-secrets.ts';
import { openQueue } from '../queue/open-queue.ts';
import type { ConsoleParts } from './admin-routes.ts';
import { openWorker, type Worker } from './open-worker.ts';
import type { ServiceLogin } from './prepare-database.ts';

export interface ServicesOptions {
  readonly config: Config;
  readonly application: ConfiguredApplication | undefined;
  readonly login: ServiceLogin;
  /** The database URL of the gateway login, which serves the data API. */
  readonly gatewayUrl: string;
  readonly parts: ReadonlySet<Part>;
  /** Returns the rules that this process has now. A reload of the metadata replaces them. */
  readonly model: () => Model;
  /** Checks the callers of open subscriptions after a person's access has ended. */
  readonly accessEnded: (person: string | undefined) => void;
  /** The registry of the metrics endpoint. */
  readonly registry: Registry;
  readonly logger: pino.Logger;
}

/** All services except the data API: the application and the worker. */
export interface Services {
  /** The application's endpoints, for the part `rest`. */
  readonly endpoints: readonly Endpoint[];
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  /** Middleware that reads the session of a cookie; absent when this process accepts no sessions. */
  readonly session: RequestHandler | undefined;
  /** The application's authenticators for the data API. */
  readonly authenticators: readonly Authenticator[];
  /** The credentials that the application's authenticators accept. */
  readonly dataApiSchemes: readonly SecurityScheme[];
  /** The parts of the console that the application adds. */
  readonly console: ConsoleParts;
  /** Counts data API operations of all instances; absent: each instance counts its own. */
  readonly rates: RateStore | undefined;
  /** Counts wrong admin secrets, platform tokens and metrics tokens. */
  readonly wrongSecrets: WrongSecrets;
  /** Starts deliveries and schedules if this process is a worker. Must be called after the rules are loaded. */
  work(): Promise<void>;
  /**
   * Stops the work and waits for running work. Must be called before the server closes, because the server may receive
   * deliveries of its own worker.
   */
  stopWorking(): Promise<void>;
  /** Updates the schedules after a reload of the rules. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** @throws ProcessError RG_CONFIG for an unusable setting, RG_NOT_PREPARED for missing tables */
export function openServices(options: ServicesOptions): Promise<Services> {
  return openWhole((closers) => open(options, closers));
}

async function open(options: ServicesOptions, closers: Closers): Promise<Services> {
  const { config, login, application, parts, registry, logger } = options;
  const pool = openSidecarPool(login.url, { config, logger });
  closers.add(() => pool.end());
  const metrics = openMetrics({ registry, pool, logger });
  const works = parts.has('worker');
  const needsQueue = works || (application !== undefined && parts.has('rest'));
  const queue = needsQueue ? await openQueue({ url: login.directUrl, works, logger }) : undefined;
  if (queue) closers.add(queue.close);
  const platformSecrets = needsQueue ? await secretsOf(options) : [];
  const running = await openApplication(options, {
    ...{ pool, queue, platformSecrets },
    registry,
  });
  if (running) closers.add(running.close);
  let worker: Worker | undefined;
  const stopWorking = async () => worker?.close();
  closers.add(stopWorking);
  const wrongSecrets = makeWrongSecrets({
    ...{ rates: running?.rates ?? makeMemoryRates(), perMinute: config.callers.exchangeRate },
    logger,
  });
  return {
    endpoints: [...(running?.endpoints ?? []), ...(running?.webhookHandlers ?? [])],
    pool,
    session: running?.session,
    authenticators: running?.authenticators ?? [],
    dataApiSchemes: running?.dataApiSchemes ?? [],
    console: { sections: running?.consoleSections ?? [], signIn: running?.adminSignIn },
    rates: running?.rates,
    wrongSecrets,
    work: async () => {
      if (!works || !queue) return;
      const [platformSecret = ''] = platformSecrets;
      const services = { pool, queue, platformSecret, metrics };
      worker = await openWorker({ ...options, ...services, application: running });
    },
    stopWorking,
    refresh: async () => worker?.refresh(),
    close: () => closers.close(),
  };
}

/**
 * Returns the platform secrets. They may be missing without an application; a later check refuses webhooks that need a
 * secret.
 */
function secretsOf({ config, application }: ServicesOptions): Promise<readonly string[]> {
  const secrets = resolvePlatformSecrets(config);
  return application ? secrets : secrets.catch(() => []);
}

async function openApplication(
  { application: configured, ...options }: ServicesOptions,
  opened: {
    readonly pool: pg.Pool;
    readonly queue: Awaited<ReturnType<typeof openQueue>> | undefined;
    readonly platformSecrets: readonly string[];
    readonly registry: Registry;
  },
): Promise<RunningApplication | undefined> {
  if (!configured) return undefined;
  const { application, settings } = configured;
  return application.open({ ...options, ...opened, settings });
}
