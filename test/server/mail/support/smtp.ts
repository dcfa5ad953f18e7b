import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

/** A mail as a server got it. */
export interface Received {
  readonly email: Email;
  readonly raw: string;
  readonly recipients: readonly string[];
  readonly session: SMTPServerSession;
}

/** A mail server of a test, on a port of the loopback. */
export interface MailServer {
  readonly port: number;
  /** In the order of arrival. */
  readonly received: readonly Received[];
  /** Resolves once it has taken so many mails since it started. */
  arrived(count: number): Promise<readonly Received[]>;
  stop(): Promise<void>;
}

/** An error that the server answers with its code. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

export interface MailServerOptions extends SMTPServerOptions {
  readonly port?: number;
  /** Called for each whole mail, which is taken unless it throws. */
  readonly take?: (received: Received) => void | Promise<void>;
}

/** Takes mails without a login and without TLS, unless told otherwise. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { port = 0, take, ...more } = options;
  const received: Received[] = [];
  const news = new EventEmitter();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onData: (stream, session, answer) => {
      read(stream, session)
        .then(async (mail) => {
          await take?.(mail);
          received.push(mail);
          news.emit('mail');
          answer();
        })
        .catch(answer);
    },
    ...more,
  });
  // Clients that refuse the certificate, and connections that tests cut.
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    arrived: async (count) => {
      while (received.length < count) await once(news, 'mail');
      return received;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function read(stream: NodeJS.ReadableStream, session: SMTPServerSession): Promise<Received> {
  const raw = await buffer(stream);
  const email = await PostalMime.parse(raw);
  const recipients = session.envelope.rcptTo.map(({ address }) => address);
  return { email, raw: raw.toString('utf8'), recipients, session };
}
