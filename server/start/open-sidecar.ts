import type { RequestHandler } from 'express';
import type pg from 'pg';
import type pino from 'pino';
import type { Registry } from 'prom-client';
import type { Model } from '../../permissions/index.ts';
import type { Authenticator } from '../caller/authenticate.ts';
import { makeMemoryRates } from '../caller/memory-rates.ts';
import type { RateStore } from '../caller/rate-store.ts';
import { makeWrongSecrets, type WrongSecrets } from '../caller/wrong-secrets.ts';
import { type Closers, openWhole } from '../closers.ts';
import type { Config } from '../config/config.ts';
import type { Part } from '../config/serve-options.ts';
import { openSidecarPool } from '../db/logins/sidecar-pool.ts';
import { makeMetricsEndpoint } from '../events/metrics/metrics-endpoint.ts';
import { openMetrics } from '../events/metrics/open-metrics.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { openAuth } from '../platform/accounts/open-auth.ts';
import { openDocuments } from '../platform/documents/open-documents.ts';
import { reportUnconfigured } from '../platform/webhooks/callbacks/report-unconfigured.ts';
import { openWebhooks } from '../platform/webhooks/open-webhooks.ts';
import { openQueue } from '../queue/open-queue.ts';
import { openWorker, type Worker } from './open-worker.ts';
import type { Sidecar } from './prepare-database.ts';
import { resolvePlatformSecrets } from './secrets.ts';

export interface SidecarOptions {
  readonly config: Config;
  readonly sidecar: Sidecar;
  /** Of the login that serves the data API. */
  readonly gatewayUrl: string;
  readonly parts: ReadonlySet<Part>;
  /** The rules that are served at this moment. */
  readonly model: () => Model;
  readonly logger: pino.Logger;
}

/** All that is not the data API. */
export interface SidecarParts {
  /** Those of the part `rest`. */
  readonly endpoints: readonly Endpoint[];
  /** For those who run it, whatever the parts. */
  readonly metrics: readonly Endpoint[];
  /** Of the sidecar's login. */
  readonly pool: pg.Pool;
  /** What they tell of; others may add to it. */
  readonly registry: Registry;
  /** Reads the session of requests that bring its cookie; absent where sessions do not count. */
  readonly session: RequestHandler | undefined;
  /** For the data API. */
  readonly authenticators: readonly Authenticator[];
  /** Counts operations of the data API for all instances together; absent where nothing is shared. */
  readonly rates: RateStore | undefined;
  /** Counts wrong secrets of operators. */
  readonly wrongSecrets: WrongSecrets;
  /** Begins to deliver, to run schedules and to send, where this process is a worker; once the rules are loaded. */
  work(): Promise<void>;
  /** Ends that, and lets what runs come to its end: before requests end, since deliveries may come to this process. */
  stopWorking(): Promise<void>;
  /** Takes up what hangs on the rules, once they were loaded anew. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** @throws ProcessError RG_CONFIG where a setting cannot be used, RG_NOT_PREPARED where tables are missing */
export function openSidecar(options: SidecarOptions): Promise<SidecarParts> {
  return openWhole((closers) => open(options, closers));
}

async function open(options: SidecarOptions, closers: Closers): Promise<SidecarParts> {
  const { config, sidecar, parts, logger } = options;
  const { secretKey, isPlatform } = sidecar;
  const pool = openSidecarPool(sidecar.url, { config, logger });
  closers.add(() => pool.end());
  const auth =
    secretKey === undefined ? undefined : await openAuth({ ...options, pool, secretKey });
  if (auth) closers.add(auth.close);
  const endpoints: Endpoint[] = [];
  if (auth && parts.has('rest')) {
    const documents = await openDocuments({ ...options, pool, callers: auth });
    closers.add(documents.close);
    endpoints.push(...auth.endpoints, ...documents.endpoints);
  }
  const metrics = openMetrics({ pool, logger });
  const wrongSecrets = makeWrongSecrets({
    ...{ rates: auth?.rates ?? makeMemoryRates(), perMinute: config.identity.rates.exchange },
    logger,
  });
  const works = parts.has('worker');
  let worker: Worker | undefined;
  let work = async () => {};
  const stopWorking = async () => worker?.close();
  if (works || parts.has('rest')) {
    const queue = await openQueue({ url: sidecar.directUrl, works, logger });
    closers.add(queue.close);
    closers.add(stopWorking);
    const platformSecrets = await resolvePlatformSecrets(config);
    const webhooks = isPlatform
      ? openWebhooks({
          ...{ config, pool, queue, platformSecrets, wrongSecrets, logger },
          registry: metrics.registry,
        })
      : undefined;
    endpoints.push(...(webhooks?.endpoints ?? []));
    if (isPlatform && parts.has('rest')) reportUnconfigured(config.webhooks, logger);
    const [platformSecret = ''] = platformSecrets;
    if (works) {
      work = async () => {
        const services = { pool, queue, webhooks, platformSecret, metrics: metrics.events };
        worker = await openWorker({ ...options, ...services });
      };
    }
  }
  return {
    endpoints,
    metrics: [makeMetricsEndpoint(metrics.registry, config.events.metricsTokens, wrongSecrets)],
    pool,
    registry: metrics.registry,
    session: auth?.session,
    authenticators: auth?.authenticators ?? [],
    rates: auth?.rates,
    wrongSecrets,
    work,
    stopWorking,
    refresh: async () => worker?.refresh(),
    close: () => closers.close(),
  };
}
