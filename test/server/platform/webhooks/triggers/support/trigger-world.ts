import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import path from 'node:path';
import express from 'express';
import pg from 'pg';
import pino from 'pino';
import { inject, vi } from 'vitest';
import { resolveLogin } from '../../../../../../server/db/logins/logins.ts';
import { prepareSidecarLogin } from '../../../../../../server/db/logins/sidecar-login.ts';
import { openSidecarPool } from '../../../../../../server/db/logins/sidecar-pool.ts';
import { makeApp } from '../../../../../../server/http/app.ts';
import { listen, portOf } from '../../../../../../server/http/connections/listen.ts';
import { mountEndpoints } from '../../../../../../server/http/endpoint/mount.ts';
import { openMailer } from '../../../../../../server/mail/open-mailer.ts';
import type { PlatformConfig } from '../../../../../../server/platform/config/platform-config.ts';
import { platformGrants } from '../../../../../../server/platform/grants.ts';
import { makePlatformAccess } from '../../../../../../server/platform/webhooks/platform-access.ts';
import { makeTriggerEndpoints } from '../../../../../../server/platform/webhooks/triggers/trigger-endpoints.ts';
import { openQueue, type Queue } from '../../../../../../server/queue/open-queue.ts';
import { makeFormat } from '../../../../../../server/rendering/format.ts';
import { createDatabase, type TestDatabase } from '../../../../../support/database.ts';
import { parsePlatformConfig } from '../../../../../support/platform.ts';
import { type Payload, payloadOf, type Row } from './payload.ts';

const silent = pino({ level: 'silent' });

/**
 * The accepted platform tokens. Both are valid while an operator replaces the second one by the
 * first.
 */
export const secrets = ['n'.repeat(32), 'o'.repeat(32)] as const;

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  readonly body: any;
}

export interface Mail {
  readonly key: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * The endpoints of event triggers over HTTP, with a database of the platform. The database owner
 * changes the rows.
 */
export class TriggerWorld {
  readonly database: TestDatabase;
  readonly owner: pg.Client;
  readonly #url: string;
  readonly #close: () => Promise<void>;

  constructor(world: {
    database: TestDatabase;
    owner: pg.Client;
    url: string;
    close: () => Promise<void>;
  }) {
    this.database = world.database;
    this.owner = world.owner;
    this.#url = world.url;
    this.#close = world.close;
  }

  /** Runs a statement and returns its rows. */
  async rows(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.owner.query<Row>(text, [...values])).rows;
  }

  /** Runs a statement and returns its only row. */
  async row(text: string, values: readonly unknown[] = []): Promise<Row> {
    const [row] = await this.rows(text, values);
    if (!row) throw new Error(`no row: ${text}`);
    return row;
  }

  /** Inserts a row. Columns that are not given get default values. */
  insert(table: string, values: Row): Promise<Row> {
    const columns = Object.keys(values).map((name) => pg.escapeIdentifier(name));
    const places = columns.map((_column, index) => `$${index + 1}`);
    return this.row(
      `insert into public.${pg.escapeIdentifier(table)} (${columns}) values (${places}) returning *`,
      Object.values(values),
    );
  }

  /** Changes a row and returns the event for it. */
  async change(table: string, id: string, values: Row): Promise<Payload> {
    const name = `public.${pg.escapeIdentifier(table)}`;
    const select = `select to_jsonb(t) as row from ${name} t where t.id = $1`;
    const before = (await this.row(select, [id])).row;
    const sets = Object.keys(values).map(
      (key, index) => `${pg.escapeIdentifier(key)} = $${index + 2}`,
    );
    await this.owner.query(`update ${name} set ${sets} where id = $1`, [
      id,
      ...Object.values(values),
    ]);
    return payloadOf(table, 'UPDATE', before, (await this.row(select, [id])).row);
  }

  /**
   * Moves a row through these statuses, and returns only the event of the last change. No event is
   * sent.
   */
  async walk(table: string, id: string, path: readonly string[]): Promise<Payload> {
    let event: Payload | undefined;
    for (const status of path) event = await this.change(table, id, { status });
    if (!event) throw new Error('no step to take');
    return event;
  }

  /**
   * Posts an event to the endpoint with this name, e.g. `on-user-insert`, and returns the answer.
   */
  async post(name: string, body: unknown, token: string | null = secrets[0]): Promise<Answer> {
    const response = await fetch(`${this.#url}/webhooks/${name}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(token !== null && { 'x-platform-api-token': token }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }

  /**
   * Posts an event twenty times with different event ids. Locks the row until several of the
   * requests wait for it, so that they run at the same time.
   */
  async postTwentyTimes(
    name: string,
    event: Payload,
    table: string,
    row: string,
  ): Promise<readonly Answer[]> {
    const [holder, watcher] = [
      await this.database.connectOwner(),
      // A separate connection, because pg_stat_activity shows the same rows throughout a transaction.
      await this.database.connectSuperuser(),
    ];
    await holder.query('begin');
    const hold = `select from public.${pg.escapeIdentifier(table)} where id = $1 for update`;
    await holder.query(hold, [row]);
    const posts = Array.from({ length: 20 }, (_one, index) =>
      this.post(name, { ...event, id: `${event.id}/${index}` }),
    );
    try {
      await vi.waitFor(() => refuseFewerThan(watcher, 5), { timeout: 20_000, interval: 20 });
    } finally {
      await holder.query('commit');
    }
    return Promise.all(posts);
  }

  /** Creates an organization with an administrator, and a person with this role. */
  async client(
    role = 'investor',
  ): Promise<{ organization: string; admin: string; person: string }> {
    const { id: organization } = await this.insert('organization', { name: 'Elm & Söhne' });
    const admin = await this.person(organization, 'organization_admin');
    const person = await this.person(organization, role);
    return { organization, admin, person };
  }

  /** Inserts a person with a role, and returns the person's id. */
  async person(organization: string, role: string): Promise<string> {
    const id = `local|${role}-${randomUUID()}`;
    await this.insert('user', {
      id,
      organization_id: organization,
      email: `${id.slice(6)}@elm.example`,
      full_name: `Eva ${role}`,
    });
    await this.owner.query('insert into public.user_role (user_id, role) values ($1, $2)', [
      id,
      role,
    ]);
    return id;
  }

  /** Inserts an active wallet with a balance, and returns the row. */
  wallet(organization: string, values: Row): Promise<Row> {
    return this.insert('digital_wallet', {
      organization_id: organization,
      label: 'Vault',
      coin: 'BTC',
      status: 'active',
      ...values,
    });
  }

  /** Returns the titles of a person's notifications, in alphabetical order. */
  async notifications(person: string): Promise<readonly string[]> {
    const found = await this.rows(
      'select title from public.notification where user_id = $1 order by title',
      [person],
    );
    return found.map(({ title }) => title);
  }

  /**
   * Counts the people with this role who have a notification with these words in the title and the
   * body.
   */
  async countNotified(role: string, title: string, body = ''): Promise<number> {
    const { count } = await this.row(
      `select count(*)::integer as count from public.notification n
       join public.user_role r on r.user_id = n.user_id and r.role = $1
       where n.title = $2 and position($3 in n.body) > 0`,
      [role, title, body],
    );
    return count;
  }

  /** Returns the mails in the outbox whose message key begins with this text. */
  mails(key: string): Promise<readonly Mail[]> {
    return this.rows(
      'select key, recipient, subject, text from rowgate_mail.outbox where starts_with(key, $1) order by recipient',
      [key],
    ) as Promise<readonly Mail[]>;
  }

  async statusOf(table: string, id: string): Promise<string> {
    const found = await this.row(
      `select status from public.${pg.escapeIdentifier(table)} where id::text = $1`,
      [id],
    );
    return found.status;
  }

  close(): Promise<void> {
    return this.#close();
  }
}

async function refuseFewerThan(client: pg.Client, expected: number): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  if ((rowCount ?? 0) < expected)
    throw new Error(`${rowCount} connections wait, not yet ${expected}`);
}

/** Opens a database and the endpoints. `close` stops the endpoints and drops the database. */
export async function openTriggerWorld(
  environment: Readonly<Record<string, string>> = {},
): Promise<TriggerWorld> {
  const database = await createDatabase({ from: 'platform' });
  const dataDir = await mkdtemp(path.join(inject('scratch'), 'triggers-'));
  const { config } = parsePlatformConfig(
    { PORT: '0', DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: dataDir, ...environment },
    dataDir,
  );
  const owner = await database.connectOwner();
  const login = await resolveLogin(config, database.ownerUrl, 'sidecar');
  await prepareSidecarLogin(owner, login, platformGrants);
  const pool = openSidecarPool(login.url, { config, logger: silent });
  const queue = await openQueue({ url: login.url, works: false, logger: silent });
  const server = await serve(config, pool, queue);
  return new TriggerWorld({
    database,
    owner,
    url: `http://127.0.0.1:${portOf(server)}`,
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
      await queue.close();
      await pool.end();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  });
}

function serve(config: PlatformConfig, pool: pg.Pool, queue: Queue): Promise<Server> {
  const routes = express.Router();
  const mailer = openMailer({ config: config.mail, brand: config.documents.brand, queue });
  const endpoints = makeTriggerEndpoints({
    pool,
    mailer,
    format: makeFormat('en-GB'),
    config,
    access: makePlatformAccess(secrets),
    logger: silent,
  });
  routes.use(mountEndpoints(endpoints, config.limits.bodyBytes));
  const app = makeApp({ config, logger: silent, phase: () => 'serving', service: [], routes });
  return listen(app, '127.0.0.1', 0);
}
