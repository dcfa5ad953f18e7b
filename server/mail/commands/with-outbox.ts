import type pg from 'pg';
import type { ServerContext } from '../../cli/command-context.ts';
import { withOwnerPool } from '../../cli/with-owner-pool.ts';
import { ProcessError } from '../../errors.ts';

/** @throws ProcessError RG_NOT_PREPARED where the database has no outbox */
export function withOutbox<T>(
  context: ServerContext,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  return withOwnerPool(context, { relation: 'rowgate_mail.outbox', subject: 'mails' }, work);
}

/** @throws ProcessError RG_USAGE where it can be no id of a mail */
export function refuseNoId(id: string): void {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return;
  throw noSuchMail(id);
}

/** For an id that no mail has. */
export function noSuchMail(id: string): ProcessError {
  return new ProcessError('RG_USAGE', `there is no mail with the id ${id}`, {
    hint: 'rowgate mail list shows the ids',
  });
}

/** What strangers wrote, harmless on a terminal. */
export function onTerminal(text: string): string {
  return text.replaceAll(/(?!\n)[\p{C}\u2028\u2029]/gu, '?');
}
