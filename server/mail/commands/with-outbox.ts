import type pg from 'pg';
import type { ServerContext } from '../../cli/command-context.ts';
import { withOwnerPool } from '../../cli/with-owner-pool.ts';
import { ProcessError } from '../../errors.ts';

/** Runs work with a pool of the owner. @throws ProcessError RG_NOT_PREPARED when the database has no outbox */
export function withOutbox<T>(
  context: ServerContext,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  return withOwnerPool(context, { relation: 'rowgate_mail.outbox', subject: 'mails' }, work);
}

/** @throws ProcessError RG_USAGE when the text is not a UUID */
export function refuseNoId(id: string): void {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return;
  throw noSuchMail(id);
}

/** Makes the error for an id without a mail. */
export function noSuchMail(id: string): ProcessError {
  return new ProcessError('RG_USAGE', `there is no mail with the id ${id}`, {
    hint: 'rowgate mail list shows the ids',
  });
}

/** Replaces control characters, because mails and answers of mail servers may contain any text. */
export function onTerminal(text: string): string {
  return text.replaceAll(/(?!\n)[\p{C}\u2028\u2029]/gu, '?');
}
