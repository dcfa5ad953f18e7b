import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { query } from '../../support/query.ts';
import { MailWorld } from './support/mail-world.ts';
import { documentOf, messageOf } from './support/messages.ts';
import { type MailServer, refusal, startMailServer } from './support/smtp.ts';

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

const rowgate = (...args: readonly string[]) =>
  runCommand(['mail', ...args], { DATABASE_URL: world.database.ownerUrl });

test('rowgate mail list shows the waiting mails, and rowgate mail show prints the text of one', async () => {
  await world.post([messageOf()]);
  const [stored] = await world.outbox();
  const { stdout } = await rowgate('list');
  expect(stdout).toBe(
    `${stored?.id}  waiting  ada@example.com  Invoice INV-7 is overdue  0 attempts\n`,
  );
  const shown = await rowgate('show', stored?.id ?? '');
  expect(shown.stdout).toContain('To: ada@example.com\nSubject: Invoice INV-7 is overdue\n');
  expect(shown.stdout).toContain('View the invoice:\nhttps://platform.example/invoices/7');
});

test('rowgate mail list and rowgate mail show print JSON with --json', async () => {
  await world.post([messageOf()]);
  const list = JSON.parse((await rowgate('list', '--json')).stdout);
  expect(list).toMatchObject({ mails: [{ state: 'waiting', recipient: 'ada@example.com' }] });
  const mail = JSON.parse((await rowgate('show', list.mails[0].id, '--json')).stdout);
  expect(mail.html).toContain('<!doctype html>');
});

test('rowgate mail list and rowgate mail show print no control characters from a mail to the terminal', async () => {
  const document = documentOf([{ kind: 'paragraph', text: 'a\u009b31mb\u202ec' }]);
  await world.post([messageOf({ subject: 'red \u202e\u061c', document })]);
  const [stored] = await world.outbox();
  const [list, show] = [await rowgate('list'), await rowgate('show', stored?.id ?? '')];
  expect(list.stdout + show.stdout).not.toMatch(/[\u009b\u202e\u061c]/);
});

test('rowgate mail retry sends a failed mail again', async () => {
  let full = true;
  const running = await startMailServer({
    take: () => {
      if (full) throw refusal(552, 'mailbox full');
    },
  });
  server = running;
  world.sendTo(running.port);
  await world.work();
  await world.post([messageOf()]);
  await expect.poll(() => world.outbox()).toMatchObject([{ state: 'failed' }]);
  expect((await rowgate('list', '--state', 'failed')).stdout).toContain('mailbox full');
  full = false;
  const [stored] = await world.outbox();
  expect(await rowgate('retry', stored?.id ?? '')).toMatchObject({ code: 0 });
  await running.arrived(1);
  await expect.poll(() => world.outbox()).toMatchObject([{ state: 'sent' }]);
  expect(await rowgate('retry', stored?.id ?? '')).toMatchObject({
    code: 1,
    stdout: `mail ${stored?.id} was already sent and is not sent again\n`,
  });
});

test('rowgate mail retry does not queue a mail that a worker is just sending', async () => {
  const [reached, accept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const running = await startMailServer({
    take: () => {
      reached.resolve();
      return accept.promise;
    },
  });
  server = running;
  world.sendTo(running.port);
  await world.work();
  await world.post([messageOf()]);
  const [stored] = await world.outbox();
  await reached.promise;
  const answer = await rowgate('retry', stored?.id ?? '');
  const jobs = await query(
    world.database.superuserUrl,
    `select state::text from rowgate_queue.job where name = 'mail'`,
  );
  accept.resolve();
  expect(answer).toMatchObject({
    code: 1,
    stdout: `mail ${stored?.id} is being sent by a worker; look again in a minute\n`,
  });
  expect(jobs).toEqual([{ state: 'active' }]);
  await expect.poll(() => world.outbox()).toMatchObject([{ state: 'sent', attempts: 1 }]);
  expect(running.received).toHaveLength(1);
});

test('rowgate mail retry sends a mail at once that would wait for its next attempt', async () => {
  let busy = true;
  const running = await startMailServer({
    take: () => {
      if (busy) throw refusal(451, 'try later');
    },
  });
  server = running;
  world.sendTo(running.port);
  await world.work();
  await world.post([messageOf()]);
  const job = `select state::text from rowgate_queue.job where name = 'mail'`;
  await expect.poll(() => query(world.database.superuserUrl, job)).toEqual([{ state: 'retry' }]);
  busy = false;
  const [stored] = await world.outbox();
  expect(await rowgate('retry', stored?.id ?? '')).toMatchObject({ code: 0 });
  await running.arrived(1);
});

test.each([
  [['show', 'x'], 'there is no mail with the id x'],
  [['retry', '00000000-0000-4000-8000-000000000000'], 'there is no mail with the id'],
  [['list', '--state', 'lost'], '--state is "lost"'],
  [['list', '--limit', '0'], '--limit is "0"'],
])('mail %j fails and names the problem', async (args, problem) => {
  const { code, stderr } = await rowgate(...args);
  expect(code).not.toBe(0);
  expect(stderr).toContain(problem);
});
