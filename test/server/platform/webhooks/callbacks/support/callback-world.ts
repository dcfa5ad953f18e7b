import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import pino from 'pino';
import { inject, vi } from 'vitest';
import type { Environment } from '../../../../../../server/config/environment.ts';
import { resolveLogin } from '../../../../../../server/db/logins/logins.ts';
import { prepareSidecarLogin } from '../../../../../../server/db/logins/sidecar-login.ts';
import { openSidecarPool } from '../../../../../../server/db/logins/sidecar-pool.ts';
import { openMailer } from '../../../../../../server/mail/open-mailer.ts';
import type { PlatformConfig } from '../../../../../../server/platform/config/platform-config.ts';
import { platformGrants } from '../../../../../../server/platform/grants.ts';
import { makeCallbackProcessing } from '../../../../../../server/platform/webhooks/callbacks/process/process-callback.ts';
import {
  type CallbackWork,
  workCallbacks,
} from '../../../../../../server/platform/webhooks/callbacks/process/work-callbacks.ts';
import { makeCallbackEndpoints } from '../../../../../../server/platform/webhooks/callbacks/receive/callback-endpoints.ts';
import { openQueue, type Queue } from '../../../../../../server/queue/open-queue.ts';
import { makeFormat } from '../../../../../../server/rendering/format.ts';
import { createDatabase, type TestDatabase } from '../../../../../support/database.ts';
import { parsePlatformConfig } from '../../../../../support/platform.ts';
import { wakeQueue } from '../../../../../support/wake-queue.ts';
import { startApp, type TestApp } from '../../../../http/support/app.ts';
import { cardHeader, hexDigest } from './signatures.ts';

export const secrets = {
  custody: 'custody-secret-of-tests',
  card: 'card-secret-of-the-tests',
  kyc: 'kyc-secret-of-the-tests',
};

export const paths = {
  custody: '/webhooks/on-insert-custody-webhook-payload-transaction',
  card: '/webhooks/on-card-webhook',
  kyc: '/webhooks/on-kyc-provider-webhook-payload',
  identity: '/webhooks/on-identity-provider-log-streams',
} as const;

export type Sender = keyof typeof paths;

/** A callback as the database stores it. */
export interface CallbackRow {
  readonly id: string;
  readonly provider: string;
  readonly event_key: string;
  readonly body: Buffer;
  readonly payload: unknown;
  readonly state: string;
  readonly note: string | null;
  readonly awaits: string | null;
}

type Parts = Pick<
  CallbackWorld,
  'database' | 'app' | 'pool' | 'queue' | 'owner' | 'config' | 'url'
>;

/**
 * The endpoints for providers' callbacks over HTTP, with a separate database. Stored callbacks are processed only when
 * the test calls `process` or starts a worker.
 */
export class CallbackWorld {
  readonly database: TestDatabase;
  readonly app: TestApp;
  readonly pool: pg.Pool;
  readonly queue: Queue;
  /** A connection of the superuser. */
  readonly owner: pg.Client;
  readonly config: PlatformConfig;
  /** The URL of the sidecar login. */
  readonly url: string;
  readonly #workers: Queue[] = [];
  readonly #work: CallbackWork[] = [];

  private constructor(parts: Parts) {
    this.database = parts.database;
    this.app = parts.app;
    this.pool = parts.pool;
    this.queue = parts.queue;
    this.owner = parts.owner;
    this.config = parts.config;
    this.url = parts.url;
  }

  /** Opens the endpoints. Without an environment, callbacks of all four providers are accepted. */
  static async make(environment: Environment = {}): Promise<CallbackWorld> {
    const database = await createDatabase({ from: 'platform' });
    const folder = await mkdtemp(path.join(inject('scratch'), 'callbacks-'));
    const { config } = parsePlatformConfig(
      {
        DATABASE_URL: database.ownerUrl,
        ROWGATE_DATA_DIR: folder,
        ROWGATE_CUSTODY_WEBHOOK_SECRET: secrets.custody,
        ROWGATE_CARD_WEBHOOK_SECRET: secrets.card,
        ROWGATE_KYC_WEBHOOK_SECRET: secrets.kyc,
        ROWGATE_IDP_LOG_ALLOWLIST: '127.0.0.1',
        ...environment,
      },
      folder,
    );
    const ownerOfTables = await database.connectOwner();
    const login = await resolveLogin(config, database.ownerUrl, 'sidecar');
    await prepareSidecarLogin(ownerOfTables, login, platformGrants);
    const logger = pino({ level: 'silent' });
    const pool = openSidecarPool(login.url, { config, logger });
    const queue = await openQueue({ url: login.url, works: false, logger });
    const format = makeFormat('en-GB');
    const app = await startApp({
      endpoints: makeCallbackEndpoints({ pool, queue, format, config, logger }),
      environment,
    });
    const owner = await database.connectSuperuser();
    return new CallbackWorld({ database, app, pool, queue, owner, config, url: login.url });
  }

  /** Posts a body with the signature of its provider and additional headers. */
  async post(
    sender: Sender,
    payload: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const body = Buffer.isBuffer(payload)
      ? payload
      : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
    return this.app.fetch(paths[sender], {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signed(sender, body), ...headers },
      body: new Uint8Array(body),
    });
  }

  /** Posts a valid callback, processes it, and returns the stored callback. */
  async take(sender: Sender, payload: unknown): Promise<CallbackRow> {
    const response = await this.post(sender, payload);
    const text = await response.text();
    if (response.status !== 202) throw new Error(`answered ${response.status}: ${text}`);
    const { id } = JSON.parse(text) as { readonly id: string };
    await this.process(id);
    return this.callback(id);
  }

  /** Processes a stored callback as a worker would. */
  async process(id: string): Promise<void> {
    const { pool, queue, config } = this;
    const mailer = openMailer({ config: config.mail, brand: config.documents.brand, queue });
    await makeCallbackProcessing({ pool, mailer, format: makeFormat('en-GB') })(id);
  }

  /** Starts a worker that processes stored callbacks. */
  async work(logger: pino.Logger = pino({ level: 'silent' })): Promise<Queue> {
    const { pool, config } = this;
    const queue = await openQueue({ url: this.url, works: true, logger });
    this.#workers.push(queue);
    const mailer = openMailer({ config: config.mail, brand: config.documents.brand, queue });
    const format = makeFormat('en-GB');
    const linkedPollMs = 100;
    this.#work.push(await workCallbacks({ pool, queue, mailer, format, linkedPollMs, logger }));
    return queue;
  }

  /** Makes the next attempt of all failed callbacks due immediately, and wakes the workers. */
  async hurry(): Promise<void> {
    await this.rows(
      `update rowgate_queue.job set start_after = now() where name = 'callbacks' and state = 'retry'`,
    );
    await wakeQueue(this.owner, 'callbacks');
  }

  async callback(id: string): Promise<CallbackRow> {
    const [row] = await this.rows<CallbackRow>(
      'select * from rowgate_webhooks.inbox where id = $1',
      [id],
    );
    if (!row) throw new Error(`there is no callback ${id}`);
    return row;
  }

  /** Waits until a worker has settled the callback, and returns the stored callback. */
  settled(id: string): Promise<CallbackRow> {
    return vi.waitFor(
      async () => {
        const callback = await this.callback(id);
        if (callback.state === 'stored') throw new Error(`not settled yet: ${callback.note}`);
        return callback;
      },
      { timeout: 20_000, interval: 50 },
    );
  }

  async rows<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.owner.query<T>(text, values)).rows;
  }

  /** Runs a query with one row and one column, and returns that value. */
  async value(text: string, values: unknown[] = []): Promise<unknown> {
    const [row] = await this.rows(text, values);
    return row && Object.values(row)[0];
  }

  /** Returns the titles of a person's notifications, oldest first. */
  async notifications(userId: string): Promise<readonly string[]> {
    const rows = await this.rows<{ readonly title: string }>(
      `select title from public.notification where user_id = $1 and created_at > now() - interval '1 hour'
       order by created_at, title`,
      [userId],
    );
    return rows.map(({ title }) => title);
  }

  async end(): Promise<void> {
    await this.app.stop();
    await Promise.all(this.#work.map((work) => work.close()));
    await Promise.all(this.#workers.map((queue) => queue.close()));
    await this.queue.close();
    await this.pool.end();
    await this.database.drop();
  }
}

/** Returns the headers with which a provider signs this body. */
export function signed(sender: Sender, body: Buffer): Record<string, string> {
  switch (sender) {
    case 'custody':
      return { 'X-Signature-SHA256': hexDigest('sha256', secrets.custody, body) };
    case 'card':
      return { 'X-Card-Signature': cardHeader(secrets.card, body) };
    case 'kyc':
      return { 'x-payload-digest': hexDigest('sha1', secrets.kyc, body) };
    case 'identity':
      return {};
  }
}
