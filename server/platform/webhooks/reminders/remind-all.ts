import type pg from 'pg';
import { withTransaction } from '../../../db/with-transaction.ts';
import type { Letter, Postman } from '../../../mail/postman.ts';
import { once } from '../effect.ts';

/** What is written about one row: names are the columns' own, amounts are decimal text. */
export type ReminderRow = Readonly<Record<string, unknown>>;

/** Reminders of one kind. */
export interface Remind {
  /** Names the effect among those of an event. */
  readonly effect: string;
  /** The function that takes a batch: `(event_id, past, most) → {last, moved, letters}`. */
  readonly batch: 'rowgate_webhooks.remind_invoices' | 'rowgate_webhooks.remind_cards';
  write(row: ReminderRow): Letter;
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
const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Takes all rows, batch by batch: each is moved, and its letter posted, in one transaction, and no row is taken twice
 * for one reminder. Where that breaks off, the next try goes on; where all is done, the event counts as done.
 */
export async function remindAll(
  eventId: string,
  remind: Remind,
  { pool, postman }: { readonly pool: pg.Pool; readonly postman: Postman },
): Promise<Reminded> {
  const { effect } = remind;
  if (await isDone(pool, eventId, effect)) return { duplicate: true };
  let moved = 0;
  let reminded = 0;
  let past: string | null = beforeAll;
  while (past !== null) {
    const from: string = past;
    const batch = await withTransaction(pool, async (client) => {
      const taken = await takeBatch(client, remind, eventId, from);
      await postman.post(client, taken.letters.map(remind.write));
      return taken;
    });
    moved += batch.moved;
    reminded += batch.letters.length;
    past = batch.last;
  }
  const done = await once(pool, { id: eventId, effect }, async () => ({ moved, reminded }));
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
  { batch }: Remind,
  eventId: string,
  past: string,
): Promise<Batch> {
  const { rows } = await client.query<{ readonly taken: Batch }>(
    `select ${batch}($1, $2, $3) as taken`,
    [eventId, past, batchSize],
  );
  return rows[0]?.taken ?? { last: null, moved: 0, letters: [] };
}
