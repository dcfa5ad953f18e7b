import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import pino from 'pino';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { openMailTransport } from '../../../server/mail/mail-transport.ts';
import { renderMail } from '../../../server/mail/render-mail.ts';
import { parsePlatformConfig } from '../../support/platform.ts';
import type { Program } from '../../support/program.ts';
import { MailWorld } from './support/mail-world.ts';
import { messageOf, reminder } from './support/messages.ts';
import { type MailServer, startMailServer } from './support/smtp.ts';

let world: MailWorld;
let server: MailServer | undefined;

beforeAll(async () => {
  world = await MailWorld.make();
});
afterEach(async () => {
  await world.reset();
  await server?.stop();
  server = undefined;
});
afterAll(() => world.end());

test('a mail is sent again with the same Message-ID when its worker is killed before recording the result', async () => {
  let worker: Program | undefined;
  const running = await startMailServer({
    take: async () => {
      await worker?.end('SIGKILL');
    },
  });
  server = running;
  world.sendTo(running.port);
  worker = await world.workInProcess();
  await world.post([messageOf()]);
  await running.arrived(1);
  expect(await world.outbox()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  await world.findDeadWorkers();
  await world.hurry();
  await world.work();
  const [first, second] = await running.arrived(2);
  expect(second?.email.messageId).toBe(first?.email.messageId);
  await expect.poll(() => world.outbox()).toMatchObject([{ state: 'sent' }]);
});

test('without a configured mail server mails wait, and the log has a warning', async () => {
  const lines: string[] = [];
  await world.post([messageOf()]);
  await world.work(pino({ level: 'warn' }, { write: (line) => lines.push(line) }));
  expect(lines.join()).toContain('ROWGATE_SMTP_URL');
  expect(await world.outbox()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
});

test('mails that waited for a configured mail server are sent once a mail server is configured, even if their jobs were lost', async () => {
  await world.post([messageOf()]);
  await world.forgetJobs();
  const running = await startMailServer();
  server = running;
  world.sendTo(running.port);
  await world.work();
  await running.arrived(1);
  await expect.poll(() => world.outbox()).toMatchObject([{ state: 'sent' }]);
});

test('with an embedded database a mail is written to a file that only its owner can read', async () => {
  const folder = await mkdtemp(path.join(inject('scratch'), 'mail-files-'));
  const { config } = parsePlatformConfig({ ROWGATE_DATA_DIR: folder }, folder);
  const transport = openMailTransport(config.mail, config.documents.brand);
  const mail = { id: 'a1', recipient: 'ada@example.com', subject: 'Hello', messageId: '<a1@x>' };
  await transport?.send({ ...mail, ...renderMail(reminder, config.documents.brand) });
  const [name = ''] = await readdir(path.join(folder, 'mail'));
  const file = path.join(folder, 'mail', name);
  expect(name).toMatch(/^\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z-a1\.eml$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await PostalMime.parse(await readFile(file))).toMatchObject({
    subject: 'Hello',
    to: [{ address: 'ada@example.com' }],
    from: { address: 'no-reply@localhost' },
  });
});

test.each([
  ['smtp', { disabledCommands: [] }],
  ['smtps', { secure: true }],
])(
  'a mail server URL with %s:// sends mails encrypted, to a server with a trusted certificate',
  async (protocol, options) => {
    const { key, cert } = await makeCertificate();
    const running = await startMailServer({ ...options, key, cert });
    server = running;
    const trusted = tls.getCACertificates();
    tls.setDefaultCACertificates([...trusted, cert]);
    try {
      world.configure({ ROWGATE_SMTP_URL: `${protocol}://localhost:${running.port}` });
      await world.work();
      await world.post([messageOf()]);
      const [mail] = await running.arrived(1);
      expect(mail?.session.secure).toBe(true);
    } finally {
      tls.setDefaultCACertificates(trusted);
    }
  },
);

/**
 * Makes a self-signed certificate for localhost. Clients refuse it unless they are configured to
 * trust it.
 */
async function makeCertificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = await mkdtemp(path.join(inject('scratch'), 'certificate-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  await promisify(execFile)('openssl', [...kind, ...name, '-keyout', key, '-out', cert]);
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
}
