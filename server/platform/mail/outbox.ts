import type pg from 'pg';
import type { KeptMail } from './compose-mail.ts';

/** Undefined where it was sent or given up. */
export async function findWaitingMail(pool: pg.Pool, id: string): Promise<KeptMail | undefined> {
  const { rows } = await pool.query<Omit<KeptMail, 'id'>>(
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

/** @param isFinal whether it is not tried again */
export async function noteFailure(
  pool: pg.Pool,
  id: string,
  reason: string,
  isFinal: boolean,
): Promise<void> {
  await pool.query('select rowgate_mail.note_failure($1, $2, $3)', [id, reason, isFinal]);
}
