import type { EnvironmentReader } from './environment.ts';

/** How events reach their webhooks, and what is told about it. */
export interface EventConfig {
  /** Before webhooks that are paths, without a slash at its end; absent: the base URL. */
  readonly webhookBaseUrl: string | undefined;
  /** Value of x-platform-api-token for webhooks that are paths; the first is sent. Empty: generated in embedded mode. */
  readonly platformSecrets: readonly string[];
  /** Days that events and the tries to deliver them are kept; default 14. */
  readonly retentionDays: number;
  /** Most deliveries at once, of ordered events and of others each; default 100. */
  readonly concurrency: number;
  /** What `GET /metrics` asks for, one or two; empty: it refuses everybody. */
  readonly metricsTokens: readonly string[];
  /** A variable that the metadata names as `{{NAME}}`; undefined where it is not set, or is Rowgate's own. */
  variable(name: string): string | undefined;
}

const defaults = { retentionDays: 14, concurrency: 100 } as const satisfies Partial<EventConfig>;

/** Logins and secrets of Rowgate itself go to no webhook. */
const ownNames = /^(ROWGATE_|DATABASE_|PG|NODE_)/;

/** Reads and checks what events need; problems are collected by the reader. */
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
