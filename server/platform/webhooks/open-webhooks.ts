import type pg from 'pg';
import type pino from 'pino';
import type { Registry } from 'prom-client';
import type { WrongSecrets } from '../../caller/wrong-secrets.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { openMailer } from '../../mail/open-mailer.ts';
import type { Queue } from '../../queue/open-queue.ts';
import { makeFormat } from '../../rendering/format.ts';
import type { PlatformConfig } from '../config/platform-config.ts';
import { type CallbackWork, workCallbacks } from './callbacks/process/work-callbacks.ts';
import { makeCallbackEndpoints } from './callbacks/receive/callback-endpoints.ts';
import type { RecentRefusals } from './callbacks/receive/recent-refusals.ts';
import { makePlatformAccess } from './platform-access.ts';
import { makeReminderEndpoints } from './reminders/reminder-endpoints.ts';
import { makeTriggerEndpoints } from './triggers/trigger-endpoints.ts';

export interface WebhooksOptions {
  readonly config: PlatformConfig;
  /** Connections of the sidecar login, which serves everything but the data API. */
  readonly pool: pg.Pool;
  readonly queue: Queue;
  /** The accepted values of x-platform-api-token. */
  readonly platformSecrets: readonly string[];
  /** The registry for the counters of refused and processed callbacks. */
  readonly registry: Registry;
  /** Counts and limits wrong platform tokens. */
  readonly wrongSecrets: WrongSecrets;
  /** Receives refused callbacks, for the console. */
  readonly recent: RecentRefusals;
  readonly logger: pino.Logger;
}

/** The endpoints for providers, event triggers and schedules, and the worker for callbacks. */
export interface Webhooks {
  readonly endpoints: readonly Endpoint[];
  /** Starts to process callbacks. */
  work(): Promise<CallbackWork>;
}

export function openWebhooks({
  platformSecrets,
  wrongSecrets,
  ...options
}: WebhooksOptions): Webhooks {
  const format = makeFormat(options.config.documents.locale);
  const mailer = openMailer({
    config: options.config.mail,
    brand: options.config.documents.brand,
    queue: options.queue,
  });
  const access = makePlatformAccess(platformSecrets, wrongSecrets);
  const services = { ...options, format, mailer, access };
  return {
    endpoints: [
      ...makeCallbackEndpoints(services),
      ...makeTriggerEndpoints(services),
      ...makeReminderEndpoints(services),
    ],
    work: () => workCallbacks(services),
  };
}
