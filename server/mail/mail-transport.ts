import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailConfig, SmtpConfig } from '../config/mail-config.ts';
import type { Brand } from '../rendering/brand.ts';
import { composeMail, type StoredMail } from './compose-mail.ts';

/** Sends mails. */
export interface MailTransport {
  /** Resolves once the mail server has accepted the mail or its file is written. Throws the errors of nodemailer. */
  send(mail: StoredMail): Promise<void>;
  close(): void;
}

const second = 1000;
const timeouts = {
  dnsTimeout: 10 * second,
  connectionTimeout: 10 * second,
  greetingTimeout: 20 * second,
  // Maximum silence of the mail server. It is long, because a mail server may check for spam before it confirms a mail.
  socketTimeout: 120 * second,
};

/** Opens the configured transport. Returns undefined when mails must wait in the outbox. */
export function openMailTransport(config: MailConfig, brand: Brand): MailTransport | undefined {
  const { transport } = config;
  switch (transport.kind) {
    case 'smtp':
      return smtpTransport(transport, config, brand);
    case 'folder':
      return folderTransport(transport.folder, config, brand);
    case 'none':
      return undefined;
  }
}

function smtpTransport(smtp: SmtpConfig, config: MailConfig, brand: Brand): MailTransport {
  const { host, port, tls, credentials } = smtp;
  const transport = createTransport({
    pool: true,
    maxConnections: 4,
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'off',
    tls: { minVersion: 'TLSv1.2' },
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    ...timeouts,
  });
  return {
    send: async (mail) => {
      await transport.sendMail(composeMail(mail, config, brand));
    },
    close: () => transport.close(),
  };
}

function folderTransport(folder: string, config: MailConfig, brand: Brand): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(composeMail(mail, config, brand));
      const time = new Date().toISOString().replaceAll(':', '-');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(path.join(folder, `${time}-${mail.id}.eml`), message as Buffer, {
        mode: 0o600,
      });
    },
    close: () => transport.close(),
  };
}
