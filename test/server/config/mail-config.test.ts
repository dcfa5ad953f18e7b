import { expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';

const mailOf = (environment: Readonly<Record<string, string>>) =>
  parseConfig(environment, '/srv/app').config.mail;
const from = { ROWGATE_MAIL_FROM: 'billing@example.com' };
const transportOf = (url: string) => mailOf({ ROWGATE_SMTP_URL: url, ...from }).transport;

test('mails are written to files when the server uses the embedded database', () => {
  expect(mailOf({})).toEqual({
    transport: { kind: 'folder', folder: '/srv/app/.rowgate/mail' },
    from: 'no-reply@localhost',
    replyTo: undefined,
  });
});

test('mails wait when a database URL is given and no mail server is configured', () => {
  const given = { DATABASE_URL: 'postgres://x', ROWGATE_BASE_URL: 'https://gate.example.com' };
  expect(mailOf(given)).toMatchObject({
    transport: { kind: 'none' },
    from: 'no-reply@gate.example.com',
  });
});

test.each([
  ['smtp://mail.example.com', { port: 587, tls: 'starttls', credentials: undefined }],
  ['smtps://mail.example.com', { port: 465, tls: 'implicit' }],
  ['smtp://mail.example.com:25?tls=off', { port: 25, tls: 'off' }],
  ['smtp://a%40b:c%2Fd@mail.example.com', { credentials: { user: 'a@b', password: 'c/d' } }],
  ['smtp://[::1]:25', { host: '::1', port: 25 }],
  ['smtp://a:b@localhost?tls=off', { tls: 'off', credentials: { user: 'a', password: 'b' } }],
])('the mail server URL %s sets host, port, TLS and credentials', (url, expected) => {
  expect(transportOf(url)).toMatchObject({ kind: 'smtp', ...expected });
});

test.each([
  ['https://mail.example.com', 'must be a URL like'],
  ['smtp://', 'must be a URL like'],
  ['smtp://mail.example.com/folder', 'must be a URL like'],
  ['smtp://mail.example.com?tls=no', 'may end in ?tls=off'],
  ['smtps://mail.example.com?tls=off', 'may end in ?tls=off'],
  ['smtp://secretuser@mail.example.com', 'both a user and a password'],
  ['smtp://secretuser:%@mail.example.com', 'both a user and a password'],
  ['smtp://secretuser:b@mail.example.com?tls=off', 'in the clear'],
])('the mail server URL %s is rejected, and the message does not repeat it', (url, problem) => {
  expect(() => transportOf(url)).toThrow(problem);
  expect(() => transportOf(url)).not.toThrow('secretuser');
});

test('the configuration refuses a mail server without a sender address', () => {
  expect(() => mailOf({ ROWGATE_SMTP_URL: 'smtp://mail.example.com' })).toThrow(
    'also requires ROWGATE_MAIL_FROM',
  );
});

test.each(['billing', 'Billing <billing@example.com>', 'a@b, c@d', 'a@b\r\nBcc: c@d'])(
  'the configuration refuses the sender address %j',
  (address) => {
    expect(() => mailOf({ ROWGATE_MAIL_FROM: address })).toThrow('ROWGATE_MAIL_FROM is');
    expect(() => mailOf({ ROWGATE_MAIL_REPLY_TO: address })).toThrow('ROWGATE_MAIL_REPLY_TO is');
  },
);
