import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CallbackWorld } from './support/callback-world.ts';
import { logRecord } from './support/payloads.ts';

const person = 'local|alder-member';
const failed = 'Several attempts to sign in as you failed';

let world: CallbackWorld;
beforeAll(async () => {
  world = await CallbackWorld.make();
});
afterAll(() => world.end());

let count = 0;
const nextId = () => {
  count += 1;
  return `log-${count}`;
};

beforeEach(async () => {
  await world.rows(`delete from public.login_event where log_id like 'log-%'`);
  await world.rows(`delete from public.notification where created_at > now() - interval '1 hour'`);
  await world.rows(
    'truncate rowgate_webhooks.login_warning, rowgate_mail.outbox, rowgate_mail.letter',
  );
});

const take = (type: string, more: Readonly<Record<string, unknown>> = {}) =>
  world.take('identity', logRecord(nextId(), type, more));

const events = () =>
  world.rows(
    `select user_id, kind, connection, host(ip) as ip, user_agent, occurred_at::text
     from public.login_event where log_id like 'log-%' order by occurred_at`,
  );

const mails = () => world.rows('select recipient, subject, text, html from rowgate_mail.outbox');

describe('a record of the sign-in log from the identity provider', () => {
  test('of a sign-in is stored with its address and browser', async () => {
    await take('s', { date: '2026-03-10T12:00:00.000Z', user_agent: 'Browser 1.0' });
    expect(await events()).toEqual([
      {
        user_id: person,
        kind: 'login',
        connection: 'people',
        ip: '203.0.113.9',
        user_agent: 'Browser 1.0',
        occurred_at: '2026-03-10 12:00:00+00',
      },
    ]);
  });

  test.each([
    ['s', 'login'],
    ['f', 'login_failed'],
    ['fp', 'login_failed'],
    ['fu', 'login_failed'],
    ['slo', 'logout'],
    ['scp', 'password_changed'],
    ['gd_enrollment_complete', 'mfa_enrolled'],
    ['gd_auth_succeed', 'mfa_passed'],
    ['gd_auth_failed', 'mfa_failed'],
    ['gd_auth_rejected', 'mfa_failed'],
    ['limit_wc', 'blocked'],
    ['pwd_leak', 'blocked'],
  ])('with the type %s is stored as %s', async (type, kind) => {
    expect(await take(type)).toMatchObject({ state: 'done' });
    expect(await events()).toMatchObject([{ kind }]);
  });

  test.each([
    ['scp', 'Your password was changed'],
    ['gd_enrollment_complete', 'A second factor was added to your account'],
    ['limit_wc', 'Signing in as you was blocked'],
  ])('with the type %s causes a notification of the person', async (type, title) => {
    await take(type);
    expect(await world.notifications(person)).toEqual([title]);
  });

  test('of an unknown type is stored without an effect', async () => {
    expect(await take('sapi')).toMatchObject({ state: 'ignored', note: 'the type is not known' });
    expect(await events()).toEqual([]);
  });

  test('of an unknown person is stored without an effect', async () => {
    expect(await take('fu', { user_id: '' })).toMatchObject({
      state: 'ignored',
      note: 'it names no user_id',
    });
    expect(await events()).toEqual([]);
  });

  test('with an invalid IP address is stored without the address', async () => {
    await take('s', { ip: 'somewhere' });
    expect(await events()).toMatchObject([{ ip: null }]);
  });

  test('with an IPv6 address is stored with that address', async () => {
    await take('s', { ip: '2001:db8::7' });
    expect(await events()).toMatchObject([{ ip: '2001:db8::7' }]);
  });
});

describe('failed sign-ins in the log of the identity provider', () => {
  const fail = (minute: number, more: Readonly<Record<string, unknown>> = {}) =>
    take('fp', { date: `2026-03-10T12:${String(minute).padStart(2, '0')}:00Z`, ...more });

  async function failAt(...minutes: readonly number[]): Promise<void> {
    for (const minute of minutes) await fail(minute);
  }

  test('cause no warning while a person has only four', async () => {
    await failAt(0, 1, 2, 3);
    expect(await world.notifications(person)).toEqual([]);
    expect(await mails()).toEqual([]);
  });

  test("cause a notification of the person and of the organization's admins, and a mail, when a person has five", async () => {
    await failAt(0, 1, 2, 3, 15);
    expect(await world.notifications(person)).toEqual([failed]);
    expect(await world.notifications('local|alder-admin')).toEqual([
      'Several attempts to sign in as one of your people failed',
    ]);
    expect(await world.notifications('local|birch-people')).toEqual([]);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ recipient: 'member@alder.example', subject: failed });
    expect(mail?.text).toContain('10 March 2026');
    expect(mail?.html).toContain('change your password');
  });

  test('cause no warning when fewer than five are within a quarter of an hour', async () => {
    await failAt(0, 5, 10, 16, 21, 26, 32);
    expect(await world.notifications(person)).toEqual([]);
  });

  test('cause a warning also when their records arrive in another order', async () => {
    await failAt(14, 3, 40, 10, 0, 7);
    expect(await world.notifications(person)).toEqual([failed]);
  });

  test('cause another warning after an hour', async () => {
    await failAt(0, 1, 2, 3, 4, 5, 6, 7);
    expect(await mails()).toHaveLength(1);
    await world.rows(
      `update rowgate_webhooks.login_warning set warned_at = warned_at - interval '1 hour'`,
    );
    await failAt(8, 9);
    expect(await mails()).toHaveLength(2);
    expect(await world.notifications(person)).toEqual([failed, failed]);
  });

  test('cause no second warning within an hour', async () => {
    for (let fails = 0; fails < 5; fails += 1) await take('fp');
    await world.rows(
      `update rowgate_webhooks.login_warning set warned_at = warned_at - interval '59 minutes'`,
    );
    await take('fp');
    expect(await world.notifications(person)).toEqual([failed]);
  });

  test('of several people are not added up', async () => {
    await failAt(0, 1, 2, 3);
    await fail(4, { user_id: 'local|alder-trader' });
    expect(await world.notifications(person)).toEqual([]);
  });

  test('cause one warning when twenty records arrive at the same time', async () => {
    const list = Array.from({ length: 20 }, () => logRecord(nextId(), 'fp'));
    const response = await world.post('identity', list);
    expect(response.status).toBe(202);
    const waiting = await world.rows<{ readonly id: string }>(
      `select id from rowgate_webhooks.inbox where state = 'stored'`,
    );
    await Promise.all(waiting.map(({ id }) => world.process(id)));
    expect(await events()).toHaveLength(20);
    expect(await world.notifications(person)).toEqual([failed]);
    expect(await mails()).toHaveLength(1);
  });

  test('of a disabled person are reported to the admins of the organization, but no mail is sent to the person', async () => {
    await world.rows(`update public."user" set status = 'disabled' where id = $1`, [person]);
    await failAt(0, 1, 2, 3, 4);
    await world.rows(`update public."user" set status = 'active' where id = $1`, [person]);
    expect(await mails()).toEqual([]);
    expect(await world.notifications('local|alder-admin')).toHaveLength(1);
  });
});
