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

/** Mail is tried again after some seconds. */
const patience = { timeout: 30_000 };

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

const kept = async () => (await world.outbox())[0];

test('a mail that a server asks to wait is sent when it takes it', async () => {
  let busy = true;
  const running = await serve({
    take: () => {
      if (busy) throw refusal(451, 'try again later');
    },
  });
  await world.work();
  await world.post([messageOf()]);
  await expect.poll(kept, patience).toMatchObject({ state: 'waiting', attempts: 1 });
  expect((await kept())?.last_error).toContain('try again later');
  busy = false;
  await world.hurry();
  await running.arrived(1);
  await expect.poll(kept, patience).toMatchObject({ state: 'sent', attempts: 2, last_error: null });
});

test('a mail that a server refuses for good has failed at once', async () => {
  await serve({
    onRcptTo: ({ address }, _session, answer) =>
      answer(address.startsWith('ada') ? refusal(550, 'no such user') : undefined),
  });
  await world.work();
  await world.post([messageOf({ to: ['ada@example.com', 'grace@example.com'] })]);
  await expect
    .poll(async () => (await world.outbox()).map(({ state }) => state), patience)
    .toEqual(['failed', 'sent']);
  expect((await kept())?.last_error).toContain('no such user');
});

test('what a server refuses by its content has failed at once', async () => {
  await serve({
    take: () => {
      throw refusal(554, 'looks like spam');
    },
  });
  await world.work();
  await world.post([messageOf()]);
  await expect.poll(kept, patience).toMatchObject({ state: 'failed', attempts: 1 });
});

test('mails that are written while the server is down are sent when it is back', async () => {
  const port = await vacantPort();
  world.sendTo(port);
  await world.work();
  await world.post([messageOf(), messageOf({ key: 'second' })]);
  await expect
    .poll(async () => (await world.outbox()).map(({ attempts }) => attempts), patience)
    .toEqual([1, 1]);
  const running = await serve({ port });
  await world.hurry();
  await running.arrived(2);
  await expect
    .poll(async () => (await world.outbox()).map(({ state }) => state), patience)
    .toEqual(['sent', 'sent']);
});

test('a server that goes in the middle of a mail gets it again', async () => {
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
  await expect.poll(kept, patience).toMatchObject({ attempts: 1 });
  await world.hurry();
  await running.arrived(1);
});

test('a server whose certificate nobody known has signed is given no mail', async () => {
  const running = await startMailServer({ disabledCommands: [] });
  server = running;
  world.configure({ ROWGATE_SMTP_URL: `smtp://127.0.0.1:${running.port}` });
  await world.work();
  await world.post([messageOf()]);
  await expect.poll(kept, patience).toMatchObject({ state: 'waiting', attempts: 1 });
  expect((await kept())?.last_error).toMatch(/certificate/i);
  expect(running.received).toEqual([]);
});

test('a server without STARTTLS is given no mail and no password', async () => {
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
  await expect.poll(kept, patience).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(running.received).toEqual([]);
  expect(logins).toEqual([]);
});

test('a server that does not let this sender in is tried again, and no password is kept', async () => {
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
  await expect.poll(kept, patience).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(JSON.stringify(await kept())).not.toContain('hunter2secret');
});

test('user and password are given where they are configured', async () => {
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

test('a server that says nothing keeps no other mail from being kept', async () => {
  silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  world.sendTo(typeof address === 'object' && address ? address.port : 0);
  await world.work();
  await world.post([messageOf()]);
  await expect.poll(kept, { timeout: 40_000 }).toMatchObject({ state: 'waiting', attempts: 1 });
  expect((await kept())?.last_error).toMatch(/greeting/i);
});
