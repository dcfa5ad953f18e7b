import { isIP } from 'node:net';
import path from 'node:path';
import type { EnvironmentReader } from './environment.ts';
import { parseMailAddress } from './mail-address.ts';

/** The settings of outgoing mail. */
export interface MailConfig {
  readonly transport: MailTransportConfig;
  /** The sender's address; default `no-reply@` and the host of the base URL. */
  readonly from: string;
  /** The address for replies. Absent: the sender's address. */
  readonly replyTo: string | undefined;
}

export type MailTransportConfig =
  | SmtpConfig
  /** Writes each mail to a file. The path of the folder is absolute. */
  | { readonly kind: 'folder'; readonly folder: string }
  /** Mails wait in the outbox until a mail server is configured. */
  | { readonly kind: 'none' };

/** A mail server. Its certificate is always verified. */
export interface SmtpConfig {
  readonly kind: 'smtp';
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte; `starttls`: required upgrade before anything else; `off`: no TLS. */
  readonly tls: 'implicit' | 'starttls' | 'off';
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
}

const usualPorts = { 'smtp:': 587, 'smtps:': 465 } as const;

/** Reads and validates the mail settings. Problems are collected in `read`, so that all are reported together. */
export function readMailConfig(
  read: EnvironmentReader,
  given: { readonly dataDir: string; readonly baseUrl: string; readonly embedded: boolean },
): MailConfig {
  const url = read.text('ROWGATE_SMTP_URL');
  const from = read.text('ROWGATE_MAIL_FROM');
  const replyTo = read.text('ROWGATE_MAIL_REPLY_TO');
  refuseNoAddress(read, 'ROWGATE_MAIL_FROM', from);
  refuseNoAddress(read, 'ROWGATE_MAIL_REPLY_TO', replyTo);
  if (url !== undefined && from === undefined) {
    read.complain('ROWGATE_SMTP_URL', 'also requires ROWGATE_MAIL_FROM, the sender of the mails');
  }
  const without: MailTransportConfig = given.embedded
    ? { kind: 'folder', folder: path.join(given.dataDir, 'mail') }
    : { kind: 'none' };
  return {
    transport: url === undefined ? without : (readSmtp(read, url) ?? without),
    from: from ?? `no-reply@${hostOf(given.baseUrl)}`,
    replyTo,
  };
}

function refuseNoAddress(read: EnvironmentReader, name: string, text: string | undefined): void {
  if (text === undefined || parseMailAddress(text) !== undefined) return;
  read.complain(name, `is "${text}"; it must be an address like billing@example.com`);
}

/** Returns the host of the base URL, or `localhost` instead of an IP address, which is not a mail domain. */
function hostOf(baseUrl: string): string {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return host === '' || host.startsWith('[') || isIP(host) !== 0 ? 'localhost' : host;
}

function readSmtp(read: EnvironmentReader, text: string): SmtpConfig | undefined {
  const complain = (problem: string) => read.complain('ROWGATE_SMTP_URL', problem);
  const url = URL.parse(text);
  const protocol = url?.protocol;
  const isPlain = url && url.hash === '' && (url.pathname === '' || url.pathname === '/');
  if (!isPlain || (protocol !== 'smtp:' && protocol !== 'smtps:') || url.hostname === '') {
    return complain('must be a URL like smtps://user:password@mail.example.com');
  }
  const tls = readTls(protocol, url.searchParams);
  if (tls === undefined) return complain('may end in ?tls=off after smtp://, and in nothing else');
  const credentials = readCredentials(url);
  if (credentials === null) {
    return complain(
      'must contain both a user and a password, or neither; percent-encode special characters',
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (credentials && tls === 'off' && !isLoopback(host)) {
    return complain('would send the password in the clear; leave out ?tls=off');
  }
  return { kind: 'smtp', host, port: Number(url.port) || usualPorts[protocol], tls, credentials };
}

function readTls(
  protocol: keyof typeof usualPorts,
  parameters: URLSearchParams,
): SmtpConfig['tls'] | undefined {
  if (parameters.size === 0) return protocol === 'smtps:' ? 'implicit' : 'starttls';
  const isOff = parameters.size === 1 && parameters.get('tls') === 'off';
  return isOff && protocol === 'smtp:' ? 'off' : undefined;
}

/** Returns undefined for a URL without credentials, and null when user or password is missing or cannot be decoded. */
function readCredentials(url: URL): SmtpConfig['credentials'] | null {
  if (url.username === '' && url.password === '') return undefined;
  try {
    const user = decodeURIComponent(url.username);
    const password = decodeURIComponent(url.password);
    return user === '' || password === '' ? null : { user, password };
  } catch {
    return null;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
