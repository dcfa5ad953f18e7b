import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { inject } from 'vitest';
import type { EventTrigger, Model } from '../../../../permissions/index.ts';
import { type Config, parseConfig } from '../../../../server/config/config.ts';
import { resolveLogin, type ServerLogin } from '../../../../server/db/logins/logins.ts';
import { prepareSidecarLogin } from '../../../../server/db/logins/sidecar-login.ts';
import { migrateScopes } from '../../../../server/db/preparation.ts';
import { openEvents, type Tuning } from '../../../../server/events/open-events.ts';
import { openQueue } from '../../../../server/queue/open-queue.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { openPool } from '../../../support/open-pool.ts';
import { until } from '../../../support/until.ts';

/** The platform token in these tests. */
export const platformSecret = 'p'.repeat(40);

/** A database with an outbox of events, and the connections that tests need to it. */
export interface EventWorld {
  readonly database: TestDatabase;
  readonly config: Config;
  readonly login: ServerLogin;
  /** Connections of the database owner. Changes through them are captured as events. */
  readonly owner: pg.Client;
  /** Connections of the sidecar login, with which workers read and settle events. */
  readonly pool: pg.Pool;
  /**
   * Inserts events into the outbox and notifies the relay, as the capture trigger of a table does.
   * Returns the ids of the events.
   */
  fire(trigger: string, events: readonly FiredEvent[]): Promise<readonly string[]>;
  /** Repeats the statement until it returns a row, and resolves with the first row. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests are about
  row(statement: string, values?: readonly unknown[]): Promise<any>;
  close(): Promise<void>;
}

export interface FiredEvent {
  readonly data: unknown;
  readonly key?: string;
}

export async function makeEventWorld(
  environment: Readonly<Record<string, string>> = {},
): Promise<EventWorld> {
  const database = await createDatabase();
  const owner = await database.connectOwner();
  await migrateScopes(owner, ['gateway']);
  const dataDir = await mkdtemp(path.join(inject('scratch'), 'events-'));
  const { config } = parseConfig(
    { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: dataDir, ...environment },
    dataDir,
  );
  const login = await resolveLogin(config, database.ownerUrl, 'sidecar');
  await prepareSidecarLogin(owner, login);
  const pool = openPool({ connectionString: login.url, max: 10 });
  return {
    database,
    config,
    login,
    owner,
    pool,
    fire: (trigger, events) => fire(owner, trigger, events),
    row: (statement, values = []) =>
      until(async () => (await owner.query(statement, [...values])).rows[0]),
    close: async () => {
      await pool.end();
      await database.drop();
      await dropLogin(login.name);
    },
  };
}

async function dropLogin(name: string): Promise<void> {
  const superuser = new pg.Client({ connectionString: inject('superuserUrl') });
  await superuser.connect();
  await superuser.query(`drop role if exists ${pg.escapeIdentifier(name)}`).catch(() => {});
  await superuser.end();
}

async function fire(
  owner: pg.Client,
  trigger: string,
  events: readonly FiredEvent[],
): Promise<readonly string[]> {
  const { rows } = await owner.query<{ readonly id: string }>(
    `with made as (
       insert into rowgate_events.event
         (trigger, table_schema, table_name, op, data, session_variables, order_key)
       select $1, 'public', 'thing', 'INSERT', o.data, '{"x-gql-role": "user"}', o.key
       from jsonb_to_recordset($2) as o (data jsonb, key text)
       returning id
     )
     select id, pg_notify('rowgate_event', '') from made`,
    [trigger, JSON.stringify(events)],
  );
  return rows.map(({ id }) => id);
}

export interface TriggerOptions {
  readonly webhook: string;
  readonly retry?: Partial<EventTrigger['retry']>;
  readonly headers?: EventTrigger['headers'];
}

/** Makes an event trigger in the form that reading the metadata produces. */
export function trigger(
  name: string,
  { webhook, retry, headers = [] }: TriggerOptions,
): EventTrigger {
  return {
    name,
    table: { schema: 'public', name: 'thing' },
    operations: new Set(['insert']),
    columns: undefined,
    payload: undefined,
    webhook,
    headers,
    retry: { limit: 20, interval: 0.01, maxInterval: 0.01, timeout: 10, ...retry },
    orderKey: undefined,
    position: { file: 'test.yaml', line: 1, column: 1 },
  };
}

/** Makes a model with these event triggers and nothing else. */
export function modelOf(...triggers: readonly EventTrigger[]): Model {
  const events = new Map(triggers.map((one) => [one.name, one]));
  return { events, fingerprint: [...events.keys()].join() } as unknown as Model;
}

/**
 * Records these rules as the last applied rules. A worker marks events of unknown triggers as dead only when its own
 * rules are the last applied ones.
 */
export async function markApplied(
  { owner }: EventWorld,
  { fingerprint }: Pick<Model, 'fingerprint'>,
): Promise<void> {
  await owner.query('update rowgate.installation set fingerprint = $1', [fingerprint]);
}

export interface WorkerOptions {
  readonly world: EventWorld;
  readonly model: () => Model;
  readonly tuning?: Partial<Tuning>;
  readonly superviseSeconds?: number;
  readonly logger?: pino.Logger;
}

/** Starts a worker in this process. It delivers events until it is closed. */
export async function startWorker(options: WorkerOptions): Promise<{ close(): Promise<void> }> {
  const { world, model, tuning, superviseSeconds = 30 } = options;
  const { logger = pino({ level: 'silent' }) } = options;
  const { config, pool, login } = world;
  const queue = await openQueue({ url: login.url, works: true, superviseSeconds, logger });
  const events = await openEvents({
    config,
    queue,
    pool,
    listenUrl: login.url,
    model,
    platformSecret,
    logger,
    tuning: { workerPollMs: 20, ...tuning },
  });
  return {
    close: async () => {
      await events.close();
      await queue.close();
    },
  };
}
