import { parseMailAddress } from '../config/mail-address.ts';
import type { MailConfig } from '../config/mail-config.ts';
import { type Queue, within } from '../queue/open-queue.ts';
import type { Brand } from '../rendering/brand.ts';
import { untilDone } from '../until-done.ts';
import { prepareMailQueue, queueMails } from './mail-queue.ts';
import type { Mailer, Message } from './mailer.ts';
import { renderMail } from './render-mail.ts';

export interface MailerOptions {
  readonly config: Pick<MailConfig, 'from'>;
  readonly brand: Brand;
  readonly queue: Queue;
}

/** Who keeps letters as mails to send, one to each address. Any worker sends them. */
export function openMailer({ config, brand, queue }: MailerOptions): Mailer {
  const domain = parseMailAddress(config.from)?.domain ?? 'localhost';
  const write = (letter: Message) => {
    const mail = renderMail(letter.document, brand);
    const recipients = [...new Set(letter.to.map((address) => address.trim()))].map(describe);
    return { key: letter.key, subject: subjectOf(letter), ...mail, domain, recipients };
  };
  const prepared = untilDone(() => prepareMailQueue(queue.boss));
  return {
    post: async (client, letters) => {
      const written = letters.filter(({ to }) => to.length > 0).map(write);
      if (written.length === 0) return;
      await prepared();
      const { rows } = await client.query<{ readonly id: string }>(
        'select p.id from rowgate_mail.post($1::jsonb) p (id)',
        [JSON.stringify(written)],
      );
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await queueMails(queue.boss, ids, within(client));
    },
  };
}

/** What is no address is kept, so that somebody sees it, and never sent. */
function describe(address: string): { readonly address: string; readonly problem?: string } {
  if (parseMailAddress(address)) return { address };
  return { address: oneLine(address), problem: 'this is no address that mail can be sent to' };
}

/** Characters of a subject: servers refuse lines of more than 998 bytes, and a word without blanks cannot be folded. */
const longestSubject = 200;

/** In what people wrote, `=?…?=` would be decoded to what was taken out of it before. */
function subjectOf({ subject }: Message): string {
  const line = oneLine(subject).replaceAll('=?', '= ?');
  return line.length <= longestSubject
    ? line
    : `${line.slice(0, longestSubject - 1).toWellFormed()}…`;
}

/** A header of its own could be put in behind a line end. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}
