import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from './support/payload.ts';
import { openTriggerWorld, type TriggerWorld } from './support/trigger-world.ts';

let world: TriggerWorld;
beforeAll(async () => {
  world = await openTriggerWorld();
});
afterAll(() => world.close());

const endpoint = 'on-kyc-profile-update';

/** Inserts a person whose verification is in review. */
async function verification(values: Row = {}) {
  const client = await world.client();
  const { id } = await world.insert('kyc_profile', {
    organization_id: client.organization,
    user_id: client.person,
    status: 'in_review',
    ...values,
  });
  return { ...client, id: String(id) };
}

/** Inserts a trade request and a withdrawal of a person, both with this status. */
async function requests(organization: string, person: string, status: string) {
  const owner = { organization_id: organization, user_id: person, status };
  const trade = await world.insert('trade_request', { ...owner, quantity: 1 });
  const withdrawal = await world.insert('fiat_withdrawal_request', { ...owner, amount: 1 });
  return async () => [
    await world.statusOf('trade_request', trade.id),
    await world.statusOf('fiat_withdrawal_request', withdrawal.id),
  ];
}

async function casesOf(person: string) {
  return world.rows(
    'select kind, status, priority, summary, case_number from public."case" where user_id = $1 order by kind',
    [person],
  );
}

test.each([
  ['approved', 'You are verified'],
  ['rejected', 'Your verification could not be completed'],
])(
  'when the verification of a person is %s, the person is notified, and pending documents get the same status',
  async (status, title) => {
    const { id, organization, person } = await verification();
    const document = await world.insert('kyc_document', {
      organization_id: organization,
      kyc_profile_id: id,
    });
    const { body } = await world.post(endpoint, await world.walk('kyc_profile', id, [status]));
    expect(body).toMatchObject({ outcome: status, documents: 1 });
    expect(await world.statusOf('kyc_document', document.id)).toBe(status);
    expect(await world.notifications(person)).toEqual([title]);
  },
);

test('when the verification of a person expires, its outdated documents expire', async () => {
  const { id, organization } = await verification({ status: 'approved' });
  const owner = { organization_id: organization, kyc_profile_id: id, status: 'approved' };
  const old = await world.insert('kyc_document', { ...owner, expires_on: '2020-01-01' });
  const valid = await world.insert('kyc_document', { ...owner, expires_on: '2999-01-01' });
  await world.post(endpoint, await world.walk('kyc_profile', id, ['expired']));
  expect(await world.statusOf('kyc_document', old.id)).toBe('expired');
  expect(await world.statusOf('kyc_document', valid.id)).toBe('approved');
});

test.each([
  ['in_review', 'rejected'],
  ['approved', 'expired'],
  ['approved', 'locked'],
])(
  'when a verification goes from %s to %s, open requests of that person are put on hold, and no others',
  async (from, to) => {
    const { id, organization, admin, person } = await verification({ status: from });
    const open = await requests(organization, person, 'submitted');
    const draft = await requests(organization, person, 'draft');
    const others = await requests(organization, admin, 'submitted');
    await world.post(endpoint, await world.walk('kyc_profile', id, [to]));
    expect(await open()).toEqual(['locked', 'locked']);
    expect(await draft()).toEqual(['draft', 'draft']);
    expect(await others()).toEqual(['submitted', 'submitted']);
  },
);

test('when a verification is approved, requests that were on hold because of it return to review', async () => {
  const { id, organization, person } = await verification();
  const held = await requests(organization, person, 'approved');
  await world.post(endpoint, await world.walk('kyc_profile', id, ['rejected']));
  const { body } = await world.post(
    endpoint,
    await world.walk('kyc_profile', id, ['pending', 'in_review', 'approved']),
  );
  expect(body.releasedRequests).toBe(2);
  expect(await held()).toEqual(['submitted', 'submitted']);
});

test('when a verification is approved, requests that compliance put on hold for another reason stay on hold', async () => {
  const { id, organization, person } = await verification();
  const owner = { organization_id: organization, user_id: person, status: 'locked' };
  const held = await world.insert('trade_request', {
    ...owner,
    quantity: 1,
    status_reason: 'An inquiry',
  });
  await world.post(endpoint, await world.walk('kyc_profile', id, ['approved']));
  expect(await world.statusOf('trade_request', held.id)).toBe('locked');
});

test('a verification that compliance has locked is not reported to the person', async () => {
  const { id, admin, person } = await verification();
  await world.post(endpoint, await world.walk('kyc_profile', id, ['locked']));
  expect([...(await world.notifications(person)), ...(await world.notifications(admin))]).toEqual(
    [],
  );
});

test.each([
  [{ risk_level: 'high' }, 'kyc_review', 'high'],
  [{ is_pep: true }, 'kyc_review', 'high'],
  [{ is_sanctioned: true, is_pep: true }, 'aml_alert', 'urgent'],
])(
  'the finding %o opens a case of the kind %s with priority %s, which is reported to compliance',
  async (finding, kind, priority) => {
    const { id, person } = await verification();
    await world.post(endpoint, await world.change('kyc_profile', id, finding));
    expect(await casesOf(person)).toMatchObject([{ kind, priority, status: 'open' }]);
    const [opened] = await casesOf(person);
    expect(
      await world.countNotified(
        'compliance',
        'A verification needs a closer look',
        opened?.case_number,
      ),
    ).toBeGreaterThan(0);
    expect(await world.notifications(person)).toEqual([]);
  },
);

test('a finding about a person opens its case once, however often the profile changes', async () => {
  const { id, person } = await verification();
  await world.post(endpoint, await world.change('kyc_profile', id, { is_pep: true }));
  await world.post(endpoint, await world.walk('kyc_profile', id, ['approved']));
  await world.post(endpoint, await world.walk('kyc_profile', id, ['expired']));
  expect(await casesOf(person)).toHaveLength(1);
});

test('a verification with low risk opens no case', async () => {
  const { id, person } = await verification();
  await world.post(endpoint, await world.walk('kyc_profile', id, ['approved']));
  expect(await casesOf(person)).toEqual([]);
});

test('when a verification is approved, the people who can continue the waiting requests are notified', async () => {
  const { id, organization, admin, person } = await verification();
  const manager = await world.person(organization, 'fund_manager');
  const { id: fund } = await world.insert('fund', { organization_id: organization });
  await world.owner.query('insert into public.fund_access values ($1, $2)', [manager, fund]);
  await world.insert('fund_subscription', { user_id: person, fund_id: fund, status: 'submitted' });
  await world.insert('card', { organization_id: organization, user_id: person });
  await world.post(endpoint, await world.walk('kyc_profile', id, ['approved']));
  expect(await world.notifications(manager)).toEqual(['A subscription can go on']);
  expect(await world.notifications(admin)).toEqual(['A card can be issued']);
});

test('the late event of an approval puts requests on hold when compliance has locked the profile meanwhile', async () => {
  const { id, organization, person } = await verification();
  const open = await requests(organization, person, 'submitted');
  const approved = await world.walk('kyc_profile', id, ['approved']);
  await world.walk('kyc_profile', id, ['locked']);
  await world.post(endpoint, approved);
  expect(await open()).toEqual(['locked', 'locked']);
  expect(await world.notifications(person)).toEqual([]);
});
