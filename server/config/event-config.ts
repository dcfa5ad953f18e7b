import type { EnvironmentReader } from './environment.ts';

/** The settings of event delivery and of the metrics. */
export interface EventConfig {
  /**
   * The URL that is put in front of webhooks that are paths, without a slash at its end. Absent: the base URL of the
   * server.
   */
  readonly webhookBaseUrl: string | undefined;
  /**
   * Accepted values of the header x-platform-api-token, by which webhooks that are paths recognise the server. The
   * server sends the first value. Empty: with the embedded database, the server generates one.
   */
  readonly platformSecrets: readonly string[];
  /** The number of days for which events and delivery attempts are stored; default 14. */
  readonly retentionDays: number;
  /** Maximum concurrent deliveries, separately for ordered and unordered events; default 100. */
  readonly concurrency: number;
  /** Tokens that `GET /metrics` accepts, at most two. Empty: the endpoint refuses every request. */
  readonly metricsTokens: readonly string[];
  /** Returns a variable for `{{NAME}}` in the metadata; undefined when it is not set or belongs to Rowgate itself. */
  variable(name: string): string | undefined;
}

const defaults = { retentionDays: 14, concurrency: 100 } as const satisfies Partial<EventConfig>;

/** Prefixes of variables that may contain logins and secrets of Rowgate itself, which no webhook may receive. */
const ownNames = /^(ROWGATE_|DATABASE_|PG|NODE_)/;

/** Reads and validates the settings. Problems are collected in `read`, so that all are reported together. */
export function readEventConfig(read: EnvironmentReader): EventConfig {
  return {
    webhookBaseUrl: read.webUrl('ROWGATE_WEBHOOK_BASE_URL'),
    platformSecrets: read.secrets('ROWGATE_PLATFORM_ADMIN_SECRET', 32),
    retentionDays: read.integer('ROWGATE_EVENT_RETENTION_DAYS', 1, 3650) ?? defaults.retentionDays,
    concurrency: read.integer('ROWGATE_EVENT_CONCURRENCY', 2, 2000) ?? defaults.concurrency,
    metricsTokens: read.secrets('ROWGATE_METRICS_TOKEN', 16),
    variable: (name) => (ownNames.test(name) ? undefined : read.foreign(name)),
  };
}
