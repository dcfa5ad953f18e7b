import type pg from 'pg';
import type { StoredMail } from './compose-mail.ts';

/** Finds a waiting mail; undefined for a mail that was sent or has failed for good. */
export async function findWaitingMail(pool: pg.Pool, id: string): Promise<StoredMail | undefined> {
  const { rows } = await pool.query<Omit<StoredMail, 'id'>>(
    `select w.recipient, w.subject, w.text, w.html, w.message_id as "messageId"
     from rowgate_mail.waiting_mail($1) w`,
    [id],
  );
  return rows[0] && { id, ...rows[0] };
}

export async function listWaitingMails(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ readonly id: string }>(
    'select w.id from rowgate_mail.waiting() w (id)',
  );
  return rows.map(({ id }) => id);
}

export async function noteSent(pool: pg.Pool, id: string): Promise<void> {
  await pool.query('select rowgate_mail.note_sent($1)', [id]);
}

/**
 * Records a failed attempt.
 * @param isFinal whether no further attempt follows
 */
export async function noteFailure(
  pool: pg.Pool,
  id: string,
  reason: string,
  isFinal: boolean,
): Promise<void> {
  await pool.query('select rowgate_mail.note_failure($1, $2, $3)', [id, reason, isFinal]);
}

/** A connection, or a pool of connections, of the owner. */
type Database = Pick<pg.Pool, 'query'> | pg.ClientBase;

/** A mail as `rowgate mail list` shows it; times are ISO 8601 in UTC. */
export interface ListedMail {
  readonly id: string;
  readonly key: string;
  readonly recipient: string;
  readonly subject: string;
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createdAt: string;
  readonly sentAt: string | null;
}

/** A mail with all of its stored content. */
export interface FoundMail extends ListedMail {
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
}

const listed = `m.id, m.key, m.recipient, m.subject, m.state, m.attempts, m.last_error as "lastError",
  pg_catalog.to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt",
  pg_catalog.to_char(m.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "sentAt"`;

/**
 * Lists mails of one state or of all, the newest first.
 * @param page the maximum number, and the id of the mail after which the page begins
 */
export async function listMails(
  database: Database,
  state: string | undefined,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<readonly ListedMail[]> {
  const { rows } = await database.query<ListedMail>(
    `select ${listed} from rowgate_mail.outbox m
     where ($1::text is null or m.state = $1) and ($2::uuid is null or (m.created_at, m.id) < (
       select b.created_at, b.id from rowgate_mail.outbox b where b.id = $2))
     order by m.created_at desc, m.id desc limit $3`,
    [state ?? null, before ?? null, limit],
  );
  return rows;
}

export async function findMail(database: Database, id: string): Promise<FoundMail | undefined> {
  const { rows } = await database.query<FoundMail>(
    `select ${listed}, m.text, m.html, m.message_id as "messageId" from rowgate_mail.find($1) m`,
    [id],
  );
  return rows[0];
}

/**
 * Sets a failed mail back to the state waiting. Returns the previous state of the mail; undefined when there is no such
 * mail.
 */
export async function waitAgain(
  database: Database,
  id: string,
): Promise<ListedMail['state'] | undefined> {
  const { rows } = await database.query<{ readonly state: ListedMail['state'] | null }>(
    'select rowgate_mail.wait_again($1) as state',
    [id],
  );
  return rows[0]?.state ?? undefined;
}
