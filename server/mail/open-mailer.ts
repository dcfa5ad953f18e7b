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

/** Makes a mailer that stores one mail for each recipient. The workers of all processes send them. */
export function openMailer({ config, brand, queue }: MailerOptions): Mailer {
  const domain = parseMailAddress(config.from)?.domain ?? 'localhost';
  const write = (message: Message) => {
    const mail = renderMail(message.document, brand);
    const recipients = [...new Set(message.to.map((address) => address.trim()))].map(describe);
    return { key: message.key, subject: subjectOf(message), ...mail, domain, recipients };
  };
  const prepared = untilDone(() => prepareMailQueue(queue.boss));
  return {
    post: async (client, messages) => {
      const written = messages.filter(({ to }) => to.length > 0).map(write);
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

/**
 * Describes a recipient. An invalid address is stored with a problem, so that operators see it, and no mail is sent to
 * it.
 */
function describe(address: string): { readonly address: string; readonly problem?: string } {
  if (parseMailAddress(address)) return { address };
  return { address: oneLine(address), problem: 'this is not a valid mail address' };
}

/**
 * Maximum characters of a subject. Mail servers refuse lines of more than 998 bytes, and a subject that is one long
 * word cannot be broken into lines.
 */
const maxSubjectLength = 200;

/**
 * Returns the subject in one line. `=?…?=` is the notation of encoded words, which mail programs decode. A space splits
 * `=?`, because an encoded word could contain the characters that this function removes.
 */
function subjectOf({ subject }: Message): string {
  const line = oneLine(subject).replaceAll('=?', '= ?');
  return line.length <= maxSubjectLength
    ? line
    : `${line.slice(0, maxSubjectLength - 1).toWellFormed()}…`;
}

/** Replaces line ends and control characters, because a line end would let a sender inject another mail header. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}
