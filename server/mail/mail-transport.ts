import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailConfig, SmtpConfig } from '../config/mail-config.ts';
import type { Brand } from '../rendering/brand.ts';
import { composeMail, type KeptMail } from './compose-mail.ts';

/** How mails leave. */
export interface MailTransport {
  /** Resolves once somebody else is responsible for the mail. Throws what nodemailer throws. */
  send(mail: KeptMail): Promise<void>;
  close(): void;
}

const second = 1000;
const timeouts = {
  dnsTimeout: 10 * second,
  connectionTimeout: 10 * second,
  greetingTimeout: 20 * second,
  // Without a word; servers that look for spam take their time after the last line.
  socketTimeout: 120 * second,
};

/** Undefined where mails are to wait. */
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
