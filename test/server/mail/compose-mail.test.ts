import { expect, test } from 'vitest';
import { composeMail } from '../../../server/mail/compose-mail.ts';
import { parsePlatformConfig } from '../../support/platform.ts';

const { config } = parsePlatformConfig(
  { ROWGATE_MAIL_FROM: 'rowgate@größe.example' },
  '/nonexistent',
);

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['jürgen@bücher.example', 'jürgen@xn--bcher-kva.example'],
  ["o'neil@Example.COM", "o'neil@example.com"],
])('a mail to %s goes only to the envelope recipient %s', (recipient, to) => {
  const mail = composeMail(
    { id: '7', recipient, subject: '', text: '', html: '', messageId: '<7@platform.example>' },
    config.mail,
    config.documents.brand,
  );
  expect(mail.envelope).toEqual({ from: 'rowgate@xn--gre-6ka8i.example', to: [to] });
  expect([mail.cc, mail.bcc]).toEqual([undefined, undefined]);
});
