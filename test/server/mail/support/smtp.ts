import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

/** A mail that the test server has received. */
export interface Received {
  readonly email: Email;
  readonly raw: string;
  readonly recipients: readonly string[];
  readonly session: SMTPServerSession;
}

/** A mail server on a free port of the loopback address. */
export interface MailServer {
  readonly port: number;
  /** The accepted mails, in the order of their arrival. */
  readonly received: readonly Received[];
  /** Resolves once the server has accepted this many mails. */
  arrived(count: number): Promise<readonly Received[]>;
  stop(): Promise<void>;
}

/** Makes an error that makes the mail server refuse a mail with this SMTP code. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

export interface MailServerOptions extends SMTPServerOptions {
  readonly port?: number;
  /** Called for each complete mail. The server accepts the mail unless this function throws. */
  readonly take?: (received: Received) => void | Promise<void>;
}

/** Starts a mail server, by default without login and without TLS. */
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
  // Without a listener, the errors of clients that refuse the certificate or close the connection
  // would end the process.
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
