import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { makePng } from '../rendering/pictures.ts';
import { MailWorld } from './support/mail-world.ts';
import { documentOf, messageOf } from './support/messages.ts';
import { type MailServer, startMailServer } from './support/smtp.ts';

let world: MailWorld;
let server: MailServer;

beforeAll(async () => {
  world = await MailWorld.make();
  server = await startMailServer();
  world.sendTo(server.port);
});
afterEach(async () => {
  await world.reset();
  await server.stop();
  server = await startMailServer();
  world.sendTo(server.port);
});
afterAll(async () => {
  await server.stop();
  await world.end();
});

test('a posted mail arrives as plain text and HTML with the same content', async () => {
  await world.work();
  await world.post([messageOf()]);
  const [mail] = await server.arrived(1);
  const facts = ['Dear Ada Lovelace,', 'INV-7', '£1,250.00', '1 March 2026', 'View the invoice'];
  for (const fact of facts) {
    expect(mail?.email.text).toContain(fact);
    expect(mail?.email.html).toContain(fact);
  }
  expect(mail?.email.subject).toBe('Invoice INV-7 is overdue');
  expect(mail?.email.from).toMatchObject({ name: 'Rowgate', address: 'rowgate@platform.example' });
  expect(mail?.email.to).toMatchObject([{ address: 'ada@example.com' }]);
});

test('a posted mail is sent once and recorded as sent', async () => {
  await world.work();
  await world.work();
  await world.post([messageOf()]);
  const [mail] = await server.arrived(1);
  await expect.poll(() => world.outbox()).toMatchObject([{ state: 'sent', attempts: 1 }]);
  const [stored] = await world.outbox();
  expect(mail?.email.messageId).toBe(`<${stored?.id}@platform.example>`);
  expect(server.received).toHaveLength(1);
});

test('two workers together send each of a hundred mails once', async () => {
  const messages = Array.from({ length: 100 }, (_, index) =>
    messageOf({ key: `n/${index}`, to: [`n${index}@example.com`] }),
  );
  await world.post(messages);
  await Promise.all([world.work(), world.work()]);
  await expect
    .poll(async () => (await world.outbox()).every(({ state }) => state === 'sent'), {
      timeout: 20_000,
    })
    .toBe(true);
  expect(new Set(server.received.flatMap(({ recipients }) => recipients)).size).toBe(100);
  expect(server.received).toHaveLength(100);
});

test('a message with a key that was posted before is not sent again', async () => {
  await world.post([messageOf()]);
  await world.post([messageOf({ subject: 'another', to: ['grace@example.com'] })]);
  await world.post([messageOf({ key: 'other' }), messageOf({ key: 'other', subject: 'twice' })]);
  expect((await world.outbox()).map(({ subject }) => subject)).toEqual([
    'Invoice INV-7 is overdue',
    'Invoice INV-7 is overdue',
  ]);
});

test('a message is not stored when the transaction that posts it fails', async () => {
  const posting = world.post([messageOf()], () => {
    throw new Error('the effect failed');
  });
  await expect(posting).rejects.toThrow('the effect failed');
  expect(await world.outbox()).toEqual([]);
});

test('each recipient of a message gets a separate mail that does not name the others', async () => {
  await world.work();
  await world.post([
    messageOf({ to: ['ada@example.com', 'grace@example.com', 'ada@example.com'] }),
  ]);
  const mails = await server.arrived(2);
  expect(mails.map(({ recipients }) => recipients)).toEqual(
    expect.arrayContaining([['ada@example.com'], ['grace@example.com']]),
  );
  const seen = mails.map(({ raw }) =>
    ['ada@example', 'grace@example'].filter((one) => raw.includes(one)),
  );
  expect(seen.map(({ length }) => length)).toEqual([1, 1]);
});

test('non-ASCII texts, names and addresses arrive unchanged', async () => {
  world.configure({
    ROWGATE_SMTP_URL: `smtp://127.0.0.1:${server.port}?tls=off`,
    ROWGATE_BRAND_NAME: 'Bücher „Größe“ GmbH, 東京 <x@y.example>',
    ROWGATE_MAIL_REPLY_TO: 'antwort@bücher.example',
  });
  await world.work();
  const subject = 'Überfällig: Rechnung №7 — 請求書 🧾';
  const text = 'Zażółć gęślą jaźń\nשלום 🧾';
  const document = documentOf([{ kind: 'paragraph', text }]);
  await world.post([messageOf({ to: ['jürgen@bücher.example'], subject, document })]);
  const [mail] = await server.arrived(1);
  expect(mail?.email.subject).toBe(subject);
  expect(mail?.email.text).toContain(text);
  expect(mail?.email.html).toContain('שלום 🧾');
  expect(mail?.email.from?.name).toBe('Bücher „Größe“ GmbH, 東京 <x@y.example>');
  expect(mail?.email.from?.address).toBe('rowgate@platform.example');
  expect(mail?.recipients).toEqual(['jürgen@bücher.example']);
});

test("a mail contains the brand's logo as an inline attachment", async () => {
  const logo = path.join(inject('scratch'), 'mail-logo.png');
  await writeFile(logo, makePng(240, 60));
  world.configure({
    ROWGATE_SMTP_URL: `smtp://127.0.0.1:${server.port}?tls=off`,
    ROWGATE_BRAND_LOGO: logo,
  });
  await world.work();
  await world.post([messageOf()]);
  const [mail] = await server.arrived(1);
  expect(mail?.email.html).toContain('src="cid:logo@rowgate"');
  expect(mail?.email.attachments).toMatchObject([
    { mimeType: 'image/png', disposition: 'inline', contentId: '<logo@rowgate>' },
  ]);
});

test('line ends in a subject do not add headers to the mail', async () => {
  await world.work();
  await world.post([messageOf({ subject: 'Hello\r\nBcc: eve@example.com\r\n\r\n<b>body</b>' })]);
  const [mail] = await server.arrived(1);
  expect(mail?.email.subject).toBe('Hello Bcc: eve@example.com <b>body</b>');
  expect(mail?.email.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(mail?.recipients).toEqual(['ada@example.com']);
});

test('text in a subject that looks like an encoded word of a mail header arrives as written', async () => {
  await world.work();
  await world.post([messageOf({ subject: 'Card =?utf-8?Q?=0D=0ABcc:_eve@example.com?=' })]);
  const [mail] = await server.arrived(1);
  expect(mail?.email.subject).toBe('Card = ?utf-8?Q?=0D=0ABcc:_eve@example.com?=');
});

test('a subject without spaces is shortened to fit in one line of the mail', async () => {
  await world.work();
  await world.post([messageOf({ subject: 'x'.repeat(2000) })]);
  const [mail] = await server.arrived(1);
  expect(mail?.email.subject).toBe(`${'x'.repeat(199)}…`);
});

test.each([
  'ada@example.com/x',
  'ada@example.com#x',
  'ada@example%2ecom',
  'ada@192.0.2.1',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com, eve@example.com',
  'Ada <ada@example.com>',
  'ada@exa mple.com',
  'ada@-.example',
  '"a b"@example.com',
  'ada@example.com>',
  'ada',
  '@example.com',
])(
  'a mail to the invalid address %j fails at once, and the other mails are sent',
  async (address) => {
    await world.work();
    await world.post([messageOf({ to: [address, 'grace@example.com'] })]);
    await server.arrived(1);
    await expect
      .poll(async () => (await world.outbox()).map(({ state }) => state).sort())
      .toEqual(['failed', 'sent']);
    expect(server.received.map(({ recipients }) => recipients)).toEqual([['grace@example.com']]);
  },
);

test('a message without recipients is not stored', async () => {
  await world.post([messageOf({ to: [] })]);
  expect(await world.outbox()).toEqual([]);
});
