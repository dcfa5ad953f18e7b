import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import pino from 'pino';
import { expect, inject } from 'vitest';
import { resolveLogin } from '../../../../server/db/logins/logins.ts';
import { prepareSidecarLogin } from '../../../../server/db/logins/sidecar-login.ts';
import { openSidecarPool } from '../../../../server/db/logins/sidecar-pool.ts';
import { withTransaction } from '../../../../server/db/with-transaction.ts';
import type { Message } from '../../../../server/mail/mailer.ts';
import { openMailer } from '../../../../server/mail/open-mailer.ts';
import { workMail } from '../../../../server/mail/work-mail.ts';
import type { PlatformConfig } from '../../../../server/platform/config/platform-config.ts';
import { platformGrants } from '../../../../server/platform/grants.ts';
import { openQueue, type Queue } from '../../../../server/queue/open-queue.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { parsePlatformConfig } from '../../../support/platform.ts';
import { type Program, startProgram } from '../../../support/program.ts';
import { compileCache } from '../../../support/rowgate.ts';
import { wakeQueue } from '../../../support/wake-queue.ts';

/** A mail as the outbox stores it. */
export interface OutboxMail {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_error: string | null;
}

/** A database with a mailer that posts messages, and workers that send them. */
export class MailWorld {
  readonly database: TestDatabase;
  readonly #dataDir: string;
  /** A connection of the superuser, which may read and change the outbox and the queue. */
  readonly #watcher: pg.Client;
  readonly #queues: Queue[] = [];
  readonly #pools: pg.Pool[] = [];
  #config: PlatformConfig;
  #environment: Readonly<Record<string, string>> = {};

  private constructor(database: TestDatabase, dataDir: string, watcher: pg.Client) {
    this.database = database;
    this.#watcher = watcher;
    this.#dataDir = dataDir;
    this.#config = this.configure({});
  }

  static async make(): Promise<MailWorld> {
    const database = await createDatabase({ from: 'platform' });
    const dataDir = await mkdtemp(path.join(inject('scratch'), 'mail-'));
    const world = new MailWorld(database, dataDir, await database.connectSuperuser());
    const login = await resolveLogin(world.#config, database.ownerUrl, 'sidecar');
    const owner = await database.connectOwner();
    await prepareSidecarLogin(owner, login, platformGrants);
    await owner.end();
    return world;
  }

  /**
   * Sets environment variables for all later calls. The database and the data folder stay the same.
   */
  configure(environment: Readonly<Record<string, string>>): PlatformConfig {
    this.#environment = {
      DATABASE_URL: this.database.ownerUrl,
      ROWGATE_DATA_DIR: this.#dataDir,
      ROWGATE_MAIL_FROM: 'rowgate@platform.example',
      ...environment,
    };
    this.#config = parsePlatformConfig(this.#environment, this.#dataDir).config;
    return this.#config;
  }

  /** Makes later workers send mails to this port of the loopback address, without TLS. */
  sendTo(port: number): void {
    this.configure({ ROWGATE_SMTP_URL: `smtp://127.0.0.1:${port}?tls=off` });
  }

  async #open(works: boolean): Promise<{ pool: pg.Pool; queue: Queue }> {
    const logger = pino({ level: 'silent' });
    const { url } = await resolveLogin(this.#config, this.database.ownerUrl, 'sidecar');
    const pool = openSidecarPool(url, { config: this.#config, logger });
    const queue = await openQueue({ url, works, logger });
    this.#pools.push(pool);
    this.#queues.push(queue);
    return { pool, queue };
  }

  #mail() {
    const { mail, documents } = this.#config;
    return { config: mail, brand: documents.brand };
  }

  /**
   * Posts messages in one transaction, which also calls `work`. The transaction rolls back when
   * `work` throws.
   */
  async post(messages: readonly Message[], work: () => void = () => {}): Promise<void> {
    const { pool, queue } = await this.#open(false);
    const mailer = openMailer({ ...this.#mail(), queue });
    try {
      await withTransaction(pool, async (client) => {
        await mailer.post(client, messages);
        work();
      });
    } finally {
      await queue.close();
    }
  }

  /** Starts a mail worker in this process. */
  async work(logger: pino.Logger = pino({ level: 'silent' })): Promise<void> {
    const opened = await this.#open(true);
    await workMail({ ...opened, ...this.#mail(), logger });
  }

  /** Starts a mail worker in a separate process, so that a test can kill it. */
  async workInProcess(): Promise<Program> {
    const { url } = await resolveLogin(this.#config, this.database.ownerUrl, 'sidecar');
    const script = path.join(import.meta.dirname, 'mail-worker.ts');
    return startProgram(process.execPath, [script, url, JSON.stringify(this.#environment)], {
      env: compileCache(),
    });
  }

  /** Makes the heartbeats of all running jobs look old, and waits until the queue regards their workers as dead. */
  async findDeadWorkers(): Promise<void> {
    await this.#watcher.query(
      `update rowgate_queue.job set heartbeat_on = heartbeat_on - interval '1 hour' where state = 'active'`,
    );
    const { queue } = await this.#open(false);
    await queue.boss.supervise('mail');
    await queue.close();
  }

  /**
   * Makes the next attempt of all failed mails due immediately, and wakes the workers. First waits until the queue has
   * recorded the failures.
   */
  async hurry(): Promise<void> {
    const hurried = `with hurried as (
        update rowgate_queue.job set start_after = pg_catalog.now()
        where name = 'mail' and state = 'retry' returning id)
      select (select count(*) from hurried) > 0 and not exists (
        select from rowgate_queue.job where name = 'mail' and state = 'active') as all`;
    await expect
      .poll(async () => (await this.#watcher.query(hurried)).rows, { timeout: 15_000 })
      .toEqual([{ all: true }]);
    await wakeQueue(this.#watcher, 'mail');
  }

  /** Deletes the jobs of all mails, as if the queue had lost them. */
  async forgetJobs(): Promise<void> {
    await this.#watcher.query(`delete from rowgate_queue.job where name = 'mail'`);
  }

  async outbox(): Promise<readonly OutboxMail[]> {
    const { rows } = await this.#watcher.query<OutboxMail>(
      'select * from rowgate_mail.outbox order by created_at, recipient',
    );
    return rows;
  }

  /** Deletes all mails and stops all workers. Must be called after each test. */
  async reset(): Promise<void> {
    this.configure({});
    await Promise.all(this.#queues.splice(0).map((queue) => queue.close()));
    await Promise.all(this.#pools.splice(0).map((pool) => pool.end()));
    await this.#watcher.query(
      `truncate rowgate_mail.outbox, rowgate_mail.letter;
       delete from rowgate_queue.job where name = 'mail'`,
    );
  }

  async end(): Promise<void> {
    await this.reset();
    await this.database.drop();
  }
}
