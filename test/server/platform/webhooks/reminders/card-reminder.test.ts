import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ReminderWorld } from './reminder-world.ts';

const alder = '00000000-0000-4000-8000-000000000001';
const holder = 'local|alder-cardholder';

let world: ReminderWorld;
beforeAll(async () => {
  world = await ReminderWorld.open();
});
beforeEach(() => world.silence());
afterAll(() => world.close());

interface Card {
  /** The number of days from today to the end of the card, in UTC. */
  readonly days?: number;
  readonly status?: string;
  readonly limit?: string | null;
  readonly balance?: string;
}

async function issue({ days, status = 'active', limit = null, balance = '100' }: Card) {
  const { id } = await world.row(
    `insert into public.card (organization_id, user_id, label, last_four, status, spending_limit, balance, expires_on)
     values ($1, $2, 'Travel', '4242', $3, $4, $5, (now() at time zone 'UTC')::date + $6::integer) returning id`,
    [alder, holder, status, limit, balance, days ?? null],
  );
  return id as string;
}

const cardOf = (id: string) => world.row('select * from public.card where id = $1', [id]);
const stages = async () => (await world.mails()).map(({ key }) => key.split('/')[2]);

test.each([
  [31, undefined],
  [30, 'expiry-30'],
  [8, 'expiry-30'],
  [7, 'expiry-7'],
  [0, 'expiry-7'],
  [-1, 'expired'],
])(
  'a schedule that reminds of cards, with a card that expires in %i days: %s',
  async (days, stage) => {
    const id = await issue({ days });
    await world.call('card');
    expect((await stages())[0]).toBe(stage);
    expect((await cardOf(id)).status).toBe(days < 0 ? 'expired' : 'active');
  },
);

test('the reminder of an expiring card is a mail and a notification for its holder', async () => {
  const id = await issue({ days: 20 });
  expect((await world.call('card')).body).toEqual({ duplicate: false, moved: 0, reminded: 1 });
  const [mail] = await world.mails();
  expect(mail).toMatchObject({
    recipient: 'cardholder@alder.example',
    subject: 'Your card expires soon: Travel ···· 4242',
  });
  const notification = await world.row('select * from public.notification');
  expect(notification).toMatchObject({
    user_id: holder,
    kind: 'card',
    title: 'Your card expires soon',
  });
  expect((await cardOf(id)).reminded_at).not.toBeNull();
});

test.each([[undefined], [{}]])(
  'a call with the body %j is an event of its own, and reminds like a schedule',
  async (body) => {
    await issue({ days: 20 });
    const sent = { status: 200, body: { duplicate: false, moved: 0, reminded: 1 } };
    expect(await world.callWith('card', body)).toEqual(sent);
    const none = { status: 200, body: { duplicate: false, moved: 0, reminded: 0 } };
    expect(await world.callWith('card', body)).toEqual(none);
  },
);

test('a second call of the schedule about the same card sends no mail and no notification', async () => {
  await issue({ days: 20, limit: '1000', balance: '50' });
  await world.call('card');
  expect((await world.call('card')).body).toMatchObject({ reminded: 0 });
  expect((await stages()).sort()).toEqual(['balance', 'expiry-30']);
  const { count } = await world.row('select count(*)::integer from public.notification');
  expect(count).toBe(2);
});

test.each([
  ['99.99', '1000', 1],
  ['100.00', '1000', 0],
  ['-5', '1000', 1],
  ['0', null, 0],
  ['-0.01', null, 1],
  ['0', '0', 0],
])(
  'a card with the balance %s of the limit %s causes this many reminders: %i',
  async (balance, limit, count) => {
    await issue({ balance, limit });
    expect((await world.call('card')).body).toMatchObject({ reminded: count });
  },
);

test.each(['draft', 'locked', 'cancelled'])(
  'the holder of a card that is %s gets no reminder about its low balance',
  async (status) => {
    await issue({ balance: '1', limit: '1000', status });
    expect((await world.call('card')).body).toMatchObject({ reminded: 0 });
  },
);

test.each(['active', 'frozen', 'locked'])(
  'a card that is %s changes to expired after its end',
  async (status) => {
    const id = await issue({ days: -1, status });
    expect((await world.call('card')).body).toMatchObject({ moved: 1 });
    expect((await cardOf(id)).status).toBe('expired');
  },
);

test('a cancelled card stays cancelled after its end, and its holder gets no reminder of the end', async () => {
  const id = await issue({ days: -1, status: 'cancelled' });
  expect((await world.call('card')).body).toMatchObject({ moved: 0, reminded: 0 });
  expect((await cardOf(id)).status).toBe('cancelled');
});

test('a disabled card holder gets no reminder', async () => {
  const id = await issue({ days: -1 });
  await world.owner.query(`update public."user" set status = 'disabled' where id = $1`, [holder]);
  expect((await world.call('card')).body).toMatchObject({ moved: 1, reminded: 0 });
  await world.owner.query(`update public."user" set status = 'active' where id = $1`, [holder]);
  expect((await cardOf(id)).status).toBe('expired');
});
