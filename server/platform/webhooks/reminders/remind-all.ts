import type pg from 'pg';
import { withTransaction } from '../../../db/with-transaction.ts';
import type { Mailer, Message } from '../../../mail/mailer.ts';
import { runOnce } from '../once-per-event.ts';

/** The facts for one reminder, by name. Amounts are decimal text. */
export type ReminderRow = Readonly<Record<string, unknown>>;

/** A kind of reminder. */
export interface ReminderKind {
  /** The database function for a batch: `(event_id, past, max) → {last, moved, letters}`. */
  readonly effect: string;
  /** The database function for a batch: `(event_id, past, max) → {last, moved, letters}`. */
  readonly batch: 'rowgate_webhooks.remind_invoices' | 'rowgate_webhooks.remind_cards';
  write(row: ReminderRow): Message;
}

export type Reminded =
  | { readonly duplicate: true }
  | { readonly duplicate: false; readonly moved: number; readonly reminded: number };

interface Batch {
  /** The last row of the batch; null after the last batch. */
  readonly last: string | null;
  readonly moved: number;
  readonly letters: readonly ReminderRow[];
}

const batchSize = 100;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Processes all due rows in batches. One transaction moves the rows of a batch to their next status and posts their
 * mails, so no row gets the same reminder twice. After a failure, a retry continues with the rows that are still due.
 * The event is recorded as processed at the end.
 */
export async function remindAll(
  eventId: string,
  kind: ReminderKind,
  { pool, mailer }: { readonly pool: pg.Pool; readonly mailer: Mailer },
): Promise<Reminded> {
  const { effect } = kind;
  if (await isDone(pool, eventId, effect)) return { duplicate: true };
  let moved = 0;
  let reminded = 0;
  let past: string | null = firstId;
  while (past !== null) {
    const from: string = past;
    const batch = await withTransaction(pool, async (client) => {
      const taken = await takeBatch(client, kind, eventId, from);
      await mailer.post(client, taken.letters.map(kind.write));
      return taken;
    });
    moved += batch.moved;
    reminded += batch.letters.length;
    past = batch.last;
  }
  const done = await runOnce(pool, { id: eventId, effect }, async () => ({ moved, reminded }));
  return done.duplicate ? done : { duplicate: false, ...done.result };
}

async function isDone(pool: pg.Pool, eventId: string, effect: string): Promise<boolean> {
  const { rows } = await pool.query<{ readonly done: boolean }>(
    'select rowgate_webhooks.is_done($1, $2) as done',
    [eventId, effect],
  );
  return rows[0]?.done === true;
}

async function takeBatch(
  client: pg.ClientBase,
  { batch }: ReminderKind,
  eventId: string,
  past: string,
): Promise<Batch> {
  const { rows } = await client.query<{ readonly taken: Batch }>(
    `select ${batch}($1, $2, $3) as taken`,
    [eventId, past, batchSize],
  );
  return rows[0]?.taken ?? { last: null, moved: 0, letters: [] };
}
