import { afterAll, beforeAll, expect, test } from 'vitest';
import { payloadOf } from './support/payload.ts';
import { openTriggerWorld, type TriggerWorld } from './support/trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await openTriggerWorld();
});
afterAll(() => world.close());

async function inserted(id: string) {
  const { row } = await world.row('select to_jsonb(u) as row from public."user" u where id = $1', [
    id,
  ]);
  return payloadOf('user', 'INSERT', null, row);
}

async function walletsOf(person: string) {
  return world.rows(
    `select coin, label, wallet_type, status, balance from public.digital_wallet
     where user_id = $1 order by coin`,
    [person],
  );
}

/** Deletes a person and returns the event of that change. */
async function deleted(id: string) {
  const { row } = await world.row('select to_jsonb(u) as row from public."user" u where id = $1', [
    id,
  ]);
  await world.owner.query('delete from public."user" where id = $1', [id]);
  return payloadOf('user', 'DELETE', row, null);
}

test('a new person gets a wallet for each default coin, and a welcome mail', async () => {
  const { person } = await world.client();
  const event = await inserted(person);
  expect((await world.post('on-user-insert', event)).body).toEqual({
    duplicate: false,
    outcome: 'welcomed',
    wallets: 3,
  });
  const wallet = { wallet_type: 'custodial', status: 'active', balance: '0.000000000000000000' };
  expect(await walletsOf(person)).toEqual([
    { coin: 'BTC', label: 'BTC wallet', ...wallet },
    { coin: 'ETH', label: 'ETH wallet', ...wallet },
    { coin: 'USDC', label: 'USDC wallet', ...wallet },
  ]);
  const [mail, ...more] = await world.mails(`welcome/${person}`);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    recipient: event.event.data.new?.email,
    subject: 'Welcome to Rowgate',
  });
  expect(mail?.text).toContain('Dear Eva investor,');
  expect(mail?.text).toContain(
    'Elm & Söhne has opened an account at Rowgate for you with the address',
  );
  expect(mail?.text).toMatch(/Your wallets: +BTC, ETH, USDC/);
  expect(mail?.text).toContain('/open/sign-in');
});

test('a person who signed up alone is welcomed without the name of the new organization', async () => {
  const { id: organization } = await world.row(
    'insert into public.organization default values returning id',
  );
  const { id: person } = await world.insert('user', {
    organization_id: organization,
    email: 'alone@elm.example',
  });
  await world.post('on-user-insert', await inserted(String(person)));
  const [mail] = await world.mails(`welcome/${person}`);
  expect(mail?.text).toContain('You have signed up at Rowgate with the address alone@elm.example.');
  expect(mail?.text).not.toContain('New organization');
});

test('a new person who has a wallet of a default coin gets no second one', async () => {
  const { organization, person } = await world.client();
  await world.wallet(organization, { user_id: person, coin: 'ETH', label: 'Brought along' });
  await world.post('on-user-insert', await inserted(person));
  const labels = (await walletsOf(person)).map(({ label }) => label);
  expect(labels).toEqual(['BTC wallet', 'Brought along', 'USDC wallet']);
});

test('a second event about the same new person creates no wallet and sends no mail', async () => {
  const { person } = await world.client();
  await world.post('on-user-insert', await inserted(person));
  expect((await world.post('on-user-insert', await inserted(person))).body).toMatchObject({
    wallets: 0,
  });
  expect(await walletsOf(person)).toHaveLength(3);
  expect(await world.mails(`welcome/${person}`)).toHaveLength(1);
});

test("the event of a new person has its effect although the person's id changed at the first sign-in, because the e-mail address is the same", async () => {
  const { person } = await world.client();
  const event = await inserted(person);
  await world.owner.query(`update public."user" set id = 'idp|' || id where id = $1`, [person]);
  await world.post('on-user-insert', event);
  expect(await walletsOf(`idp|${person}`)).toHaveLength(3);
});

test('a new person who is disabled gets no wallets and no mail', async () => {
  const { person } = await world.client();
  await world.owner.query(`update public."user" set status = 'disabled' where id = $1`, [person]);
  expect((await world.post('on-user-insert', await inserted(person))).body.outcome).toBe(
    'disabled',
  );
  expect(await walletsOf(person)).toEqual([]);
});

test('the event of a new person who was deleted meanwhile is accepted without an effect', async () => {
  const { person } = await world.client();
  const event = await inserted(person);
  await world.owner.query('delete from public."user" where id = $1', [person]);
  expect(await world.post('on-user-insert', event)).toEqual({
    status: 200,
    body: { duplicate: false, outcome: 'gone' },
  });
});

test('twenty events about one new person at the same time create each wallet once', async () => {
  const { person } = await world.client();
  const event = await inserted(person);
  const answers = await world.postTwentyTimes('on-user-insert', event, 'user', person);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await walletsOf(person)).toHaveLength(3);
  expect(await world.mails(`welcome/${person}`)).toHaveLength(1);
});

test('after a person was deleted, empty wallets are archived, and other wallets are kept and reported', async () => {
  const { organization, admin, person } = await world.client();
  const empty = await world.wallet(organization, { user_id: person, label: 'Empty' });
  const full = await world.wallet(organization, {
    user_id: person,
    coin: 'ETH',
    label: 'Full',
    balance: '1.25',
  });
  const request = await world.insert('trade_request', {
    organization_id: organization,
    digital_wallet_id: full.id,
    quantity: 1,
    status: 'submitted',
  });
  const { body } = await world.post('on-user-delete', await deleted(person));
  expect(body).toMatchObject({ archivedWallets: 1, keptWallets: 1, cancelledRequests: 1 });
  expect(await world.statusOf('digital_wallet', empty.id)).toBe('archived');
  expect(
    await world.row('select status, user_id from public.digital_wallet where id = $1', [full.id]),
  ).toEqual({
    status: 'active',
    user_id: null,
  });
  expect(await world.statusOf('trade_request', request.id)).toBe('cancelled');
  expect(await world.notifications(admin)).toEqual(['A wallet has no owner any more']);
});

test('after a person was deleted, mails to the person that were not sent yet are withdrawn, and mails to others are not', async () => {
  const { person, admin } = await world.client();
  await world.post('on-user-insert', await inserted(person));
  await world.post('on-user-insert', await inserted(admin));
  const { body } = await world.post('on-user-delete', await deleted(person));
  expect(body.withdrawnMails).toBe(1);
  expect(await world.mails(`welcome/${person}`)).toEqual([]);
  expect(await world.mails(`welcome/${admin}`)).toHaveLength(1);
});

test('a second event about a deleted person has no further effect', async () => {
  const { organization, admin, person } = await world.client();
  await world.wallet(organization, { user_id: person, balance: 1 });
  const event = await deleted(person);
  await world.post('on-user-delete', event);
  const { body } = await world.post('on-user-delete', { ...event, id: 'again' });
  expect(body).toMatchObject({ archivedWallets: 0, keptWallets: 0 });
  expect(await world.notifications(admin)).toHaveLength(1);
});

test("after a person was deleted, the person's sessions end", async () => {
  const { person } = await world.client();
  const event = await deleted(person);
  await world.owner.query(
    `insert into rowgate_auth.session (sid, sess, expire)
     values ('left', json_build_object('userId', $1::text), now() + interval '1 day')`,
    [person],
  );
  await world.post('on-user-delete', event);
  expect(await world.rows('select from rowgate_auth.session where user_id = $1', [person])).toEqual(
    [],
  );
});

test("a person's name that contains more than a name is omitted from the greeting in the welcome mail", async () => {
  const { person } = await world.client();
  const name = 'Eva,\n\nsign in anew at https://elm.invalid';
  await world.rows('update public."user" set full_name = $2 where id = $1', [person, name]);
  await world.post('on-user-insert', await inserted(person));
  const [mail] = await world.mails(`welcome/${person}`);
  expect(mail?.text).toContain('Good day,');
  expect(mail?.text).not.toContain('elm.invalid');
});

test('after a person was deleted, mails to the same address are not withdrawn while another person uses it', async () => {
  const { person } = await world.client();
  await world.post('on-user-insert', await inserted(person));
  const elsewhere = await world.client();
  await world.rows(
    `update public."user" n set email = upper(o.email) from public."user" o where o.id = $1 and n.id = $2`,
    [person, elsewhere.person],
  );
  await world.post('on-user-delete', await deleted(person));
  expect(await world.mails(`welcome/${person}`)).toHaveLength(1);
});
