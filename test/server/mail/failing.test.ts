import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { vacantPort } from '../../support/rowgate.ts';
import { MailWorld } from './support/mail-world.ts';
import { messageOf } from './support/messages.ts';
import {
  type MailServer,
  type MailServerOptions,
  refusal,
  startMailServer,
} from './support/smtp.ts';

/** A refused mail is retried only after some seconds, so tests wait longer than usual. */
const longPoll = { timeout: 30_000 };

let world: MailWorld;
let server: MailServer | undefined;
let silent: Server | undefined;

beforeAll(async () => {
  world = await MailWorld.make();
});
afterEach(async () => {
  silent?.close();
  await world.reset();
  await server?.stop();
  server = undefined;
});
afterAll(() => world.end());

async function serve(options: MailServerOptions): Promise<MailServer> {
  server = await startMailServer(options);
  world.sendTo(server.port);
  return server;
}

const firstMail = async () => (await world.outbox())[0];

test('a mail that the mail server refuses temporarily is sent once the server accepts it', async () => {
  let busy = true;
  const running = await serve({
    take: () => {
      if (busy) throw refusal(451, 'try again later');
    },
  });
  await world.work();
  await world.post([messageOf()]);
  await expect.poll(firstMail, longPoll).toMatchObject({ state: 'waiting', attempts: 1 });
  expect((await firstMail())?.last_error).toContain('try again later');
  busy = false;
  await world.hurry();
  await running.arrived(1);
  await expect
    .poll(firstMail, longPoll)
    .toMatchObject({ state: 'sent', attempts: 2, last_error: null });
});

test('a mail fails at once when the mail server refuses its recipient permanently', async () => {
  await serve({
    onRcptTo: ({ address }, _session, answer) =>
      answer(address.startsWith('ada') ? refusal(550, 'no such user') : undefined),
  });
  await world.work();
  await world.post([messageOf({ to: ['ada@example.com', 'grace@example.com'] })]);
  await expect
    .poll(async () => (await world.outbox()).map(({ state }) => state), longPoll)
    .toEqual(['failed', 'sent']);
  expect((await firstMail())?.last_error).toContain('no such user');
});

test('a mail fails at once when the mail server refuses its content permanently', async () => {
  await serve({
    take: () => {
      throw refusal(554, 'looks like spam');
    },
  });
  await world.work();
  await world.post([messageOf()]);
  await expect.poll(firstMail, longPoll).toMatchObject({ state: 'failed', attempts: 1 });
});

test('mails that are posted while the mail server is down are sent when it accepts connections again', async () => {
  const port = await vacantPort();
  world.sendTo(port);
  await world.work();
  await world.post([messageOf(), messageOf({ key: 'second' })]);
  await expect
    .poll(async () => (await world.outbox()).map(({ attempts }) => attempts), longPoll)
    .toEqual([1, 1]);
  const running = await serve({ port });
  await world.hurry();
  await running.arrived(2);
  await expect
    .poll(async () => (await world.outbox()).map(({ state }) => state), longPoll)
    .toEqual(['sent', 'sent']);
});

test('a mail is sent again after the mail server has closed the connection in the middle', async () => {
  let first = true;
  const running = await serve({
    onMailFrom: (_address, _session, answer) => {
      if (!first) return answer();
      first = false;
      answer(refusal(421, 'closing'));
    },
  });
  await world.work();
  await world.post([messageOf()]);
  await expect.poll(firstMail, longPoll).toMatchObject({ attempts: 1 });
  await world.hurry();
  await running.arrived(1);
});

test('no mail is sent to a mail server with an untrusted certificate', async () => {
  const running = await startMailServer({ disabledCommands: [] });
  server = running;
  world.configure({ ROWGATE_SMTP_URL: `smtp://127.0.0.1:${running.port}` });
  await world.work();
  await world.post([messageOf()]);
  await expect.poll(firstMail, longPoll).toMatchObject({ state: 'waiting', attempts: 1 });
  expect((await firstMail())?.last_error).toMatch(/certificate/i);
  expect(running.received).toEqual([]);
});

test('no mail and no password are sent to a mail server that does not offer encryption by STARTTLS', async () => {
  const logins: unknown[] = [];
  const running = await startMailServer({
    allowInsecureAuth: true,
    onAuth: (auth, _session, answer) => {
      logins.push(auth);
      answer(null, { user: 'x' });
    },
  });
  server = running;
  world.configure({ ROWGATE_SMTP_URL: `smtp://rowgate:secret@127.0.0.1:${running.port}` });
  await world.work();
  await world.post([messageOf()]);
  await expect.poll(firstMail, longPoll).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(running.received).toEqual([]);
  expect(logins).toEqual([]);
});

test('a mail is retried after the mail server has refused the login, and the stored error contains no password', async () => {
  const running = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, answer) => answer(refusal(535, 'bad credentials')),
  });
  server = running;
  world.configure({
    ROWGATE_SMTP_URL: `smtp://rowgate:hunter2secret@127.0.0.1:${running.port}?tls=off`,
  });
  await world.work();
  await world.post([messageOf()]);
  await expect.poll(firstMail, longPoll).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(JSON.stringify(await firstMail())).not.toContain('hunter2secret');
});

test('the mail server receives the configured user and password', async () => {
  const logins: unknown[][] = [];
  const running = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, answer) => {
      logins.push([username, password]);
      answer(null, { user: 'x' });
    },
  });
  server = running;
  world.configure({
    ROWGATE_SMTP_URL: `smtp://row%40gate:p%3Aw%2F@127.0.0.1:${running.port}?tls=off`,
  });
  await world.work();
  await world.post([messageOf()]);
  await running.arrived(1);
  expect(logins).toEqual([['row@gate', 'p:w/']]);
});

test('an attempt to send a mail ends after a timeout when the mail server does not answer', async () => {
  silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  world.sendTo(typeof address === 'object' && address ? address.port : 0);
  await world.work();
  await world.post([messageOf()]);
  await expect
    .poll(firstMail, { timeout: 40_000 })
    .toMatchObject({ state: 'waiting', attempts: 1 });
  expect((await firstMail())?.last_error).toMatch(/greeting/i);
});
