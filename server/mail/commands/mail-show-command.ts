import type { ServerCommand } from '../../cli/command-context.ts';
import { findMail } from '../outbox.ts';
import { noSuchMail, onTerminal, refuseNoId, withOutbox } from './with-outbox.ts';

/** `rowgate mail show` shows one mail with its text. */
export const mailShowCommand: ServerCommand = {
  name: 'mail show',
  summary: 'show one mail with its recipient, its state and its text',
  positionals: [{ name: 'id', help: 'its id, as mail list shows it' }],
  options: { json: { type: 'boolean', default: false, help: 'print JSON, with the HTML too' } },
  run: async (options, [id = ''], context) => {
    refuseNoId(id);
    const mail = await withOutbox(context, (pool) => findMail(pool, id));
    if (!mail) throw noSuchMail(id);
    if (options.json === true) {
      context.print(JSON.stringify(mail, null, 2));
      return 0;
    }
    const facts = [
      ['To', mail.recipient],
      ['Subject', mail.subject],
      ['Key', mail.key],
      ['Message-ID', mail.messageId],
      ['State', mail.state],
      ['Attempts', String(mail.attempts)],
      ['Last error', mail.lastError],
      ['Written', mail.createdAt],
      ['Sent', mail.sentAt],
    ] as const;
    for (const [term, value] of facts) {
      if (value !== null) context.print(onTerminal(`${term}: ${value}`));
    }
    context.print(onTerminal(`\n${mail.text}`));
    return 0;
  },
};
