import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';

/** A mail as the outbox stores it. */
export interface CallbackRow {
  readonly key: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly state: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * A platform with the endpoints that schedules call. Its demo rows are changed so that they cause
 * no reminders.
 */
export class ReminderWorld {
  readonly server: TestServer;
  readonly owner: pg.Client;
  readonly #database: TestDatabase;

  private constructor(database: TestDatabase, server: TestServer, owner: pg.Client) {
    this.#database = database;
    this.server = server;
    this.owner = owner;
  }

  static async open(): Promise<ReminderWorld> {
    const database = await createDatabase({ from: 'applied' });
    const server = await startTestServer({ database, rest: true, graphql: false });
    const world = new ReminderWorld(database, server, await database.connectOwner());
    await world.silence();
    return world;
  }

  /** Changes the demo rows that would cause reminders, so that only rows of the test cause them. */
  async silence(): Promise<void> {
    await this.owner.query(
      `update public.invoice set due_on = null where status in ('issued', 'overdue');
       update public.card set expires_on = null, spending_limit = null, balance = 10;
       delete from rowgate_mail.outbox; delete from rowgate_mail.letter;
       delete from rowgate_webhooks.reminder; delete from public.notification`,
    );
  }

  call(kind: 'invoice' | 'card', id: string = randomUUID()): Promise<Answer> {
    return this.callWith(kind, { id, name: `${kind}_reminder`, scheduled_time: 'x', payload: {} });
  }

  /** @param body absent: a request without a body */
  async callWith(kind: 'invoice' | 'card', body?: object): Promise<Answer> {
    const response = await this.server.fetch(`/webhooks/on-${kind}-reminder`, {
      method: 'POST',
      headers: {
        'x-platform-api-token': 'p'.repeat(40),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  async mails(): Promise<readonly CallbackRow[]> {
    const { rows } = await this.owner.query<CallbackRow>(
      'select * from rowgate_mail.outbox order by key, recipient',
    );
    return rows;
  }

  // biome-ignore lint/suspicious/noExplicitAny: columns are what the test is about
  async row(text: string, values: readonly unknown[] = []): Promise<any> {
    return (await this.owner.query(text, [...values])).rows[0];
  }

  async close(): Promise<void> {
    await this.server.stop();
    await this.#database.drop();
  }
}
