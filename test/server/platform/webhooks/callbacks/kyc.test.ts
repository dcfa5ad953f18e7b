import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CallbackWorld } from './support/callback-world.ts';
import { kycPayload } from './support/payloads.ts';

/**
 * A person of the demo data. Before each test the KYC profile is in review, with one pending
 * document.
 */
const person = 'local|alder-member';

let world: CallbackWorld;
beforeAll(async () => {
  world = await CallbackWorld.make();
});
afterAll(() => world.end());

beforeEach(async () => {
  await put('in_review');
  await world.rows('alter table public.kyc_document disable trigger check_move');
  await world.rows(
    `update public.kyc_document set status = 'pending', rejection_reason = null where inspection_id = 'inspection-alder-2'`,
  );
  await world.rows('alter table public.kyc_document enable trigger check_move');
  await world.rows(
    `delete from public.kyc_document where inspection_id = 'inspection-alder-2' and provider_document_id <> 'document-3'`,
  );
  await world.rows('delete from rowgate_webhooks.last_heard');
  await world.rows('delete from rowgate_webhooks.inbox');
  await world.rows(`delete from public.notification where created_at > now() - interval '1 hour'`);
});

async function put(status: string): Promise<void> {
  await world.rows('alter table public.kyc_profile disable trigger check_move');
  await world.rows(
    `update public.kyc_profile set status = $2, applicant_id = 'applicant-alder-2', review_answer = null,
       review_reason = null where user_id = $1`,
    [person, status],
  );
  await world.rows('alter table public.kyc_profile enable trigger check_move');
}

const take = (more: Readonly<Record<string, unknown>> = {}) => world.take('kyc', kycPayload(more));

async function profile(user = person) {
  const [row] = await world.rows(
    `select status, review_answer, review_reason, applicant_id, inspection_id, reviewed_at::text, reviewed_by
     from public.kyc_profile where user_id = $1`,
    [user],
  );
  return row;
}

const documents = () =>
  world.rows(
    `select provider_document_id as id, document_type as type, status, rejection_reason as reason
     from public.kyc_document where inspection_id = 'inspection-alder-2' order by provider_document_id`,
  );

const red = (more: Readonly<Record<string, unknown>> = {}) => ({
  reviewResult: { reviewAnswer: 'RED', ...more },
});

describe("a KYC provider's callback with the result of a review", () => {
  test('green approves the person and the documents', async () => {
    await take();
    expect(await profile()).toEqual({
      status: 'approved',
      review_answer: 'GREEN',
      review_reason: null,
      applicant_id: 'applicant-alder-2',
      inspection_id: 'inspection-alder-2',
      reviewed_at: '2026-03-10 12:00:00+00',
      reviewed_by: null,
    });
    expect(await documents()).toMatchObject([{ id: 'document-3', status: 'approved' }]);
  });

  test('red rejects the person, with the reason', async () => {
    await take(
      red({
        rejectLabels: ['FORGERY', 'SELFIE'],
        reviewRejectType: 'RETRY',
        moderationComment: 'The photo differs.',
      }),
    );
    expect(await profile()).toMatchObject({
      status: 'rejected',
      review_answer: 'RED',
      review_reason: 'RETRY; The photo differs.; FORGERY, SELFIE',
    });
    expect(await documents()).toMatchObject([{ status: 'pending' }]);
  });

  test.each(['not_started', 'pending', 'rejected', 'expired'])(
    'green approves a person who was %s',
    async (status) => {
      await put(status);
      await take();
      expect(await profile()).toMatchObject({ status: 'approved' });
    },
  );

  test('red withdraws an earlier approval', async () => {
    await put('approved');
    await take(red());
    expect(await profile()).toMatchObject({ status: 'rejected' });
  });
});

describe("the state of a person's verification, by callbacks of the KYC provider,", () => {
  test.each([
    ['applicantCreated', 'not_started', 'pending'],
    ['applicantPending', 'pending', 'in_review'],
    ['applicantOnHold', 'in_review', 'in_review'],
    ['applicantAwaitingUser', 'in_review', 'pending'],
    ['applicantReset', 'approved', 'pending'],
  ])('after the event %s goes from %s to %s', async (type, from, to) => {
    await put(from);
    const { reviewResult: _none, ...payload } = kycPayload({ type, reviewStatus: 'pending' });
    await world.take('kyc', payload);
    expect(await profile()).toMatchObject({ status: to });
  });

  test('starts with a new profile for a person without one', async () => {
    const ids = { externalUserId: 'local|alder-trader', applicantId: 'new', inspectionId: 'new' };
    await world.rows(`delete from public.kyc_profile where user_id = 'local|alder-trader'`);
    await take({ ...ids, type: 'applicantPending', reviewStatus: 'pending' });
    expect(await profile('local|alder-trader')).toMatchObject({
      status: 'in_review',
      applicant_id: 'new',
    });
  });

  test('follows the newest event, also when an older one arrives later', async () => {
    await take();
    const late = await take({ type: 'applicantPending', createdAt: '2026-03-10 11:59:59+0000' });
    expect(late).toMatchObject({
      state: 'done',
      note: 'came late: the provider has reported a newer event',
    });
    expect(await profile()).toMatchObject({ status: 'approved' });
  });

  test('compares the times of events with their time zones', async () => {
    await take({ createdAt: '2026-03-10T12:00:00+02:00' });
    expect(await profile()).toMatchObject({ reviewed_at: '2026-03-10 10:00:00+00' });
  });
});

test('a profile that compliance has locked stays locked; the refused change is recorded and reported to compliance', async () => {
  await put('locked');
  const refused = await take();
  expect(refused.note).toBe('refused: a profile that is locked cannot become approved');
  expect(await profile()).toMatchObject({ status: 'locked', review_answer: null });
  expect(await documents()).toMatchObject([{ status: 'pending' }]);
  expect(
    await world.rows(
      'select table_name, from_status, to_status from rowgate_webhooks.refused_move where event_id = $1',
      [refused.id],
    ),
  ).toEqual([{ table_name: 'kyc_profile', from_status: 'locked', to_status: 'approved' }]);
  expect(await world.notifications('local|alder-compliance')).toEqual([
    'A locked profile was reviewed by the provider',
  ]);
});

describe('the documents of a KYC inspection', () => {
  test('each get the result that the callback has for them', async () => {
    await take({
      ...red(),
      documents: [
        { documentId: 'document-3', reviewAnswer: 'RED', reason: 'Blurred' },
        {
          documentId: 'document-4',
          reviewAnswer: 'GREEN',
          documentType: 'PASSPORT',
          country: 'FR',
        },
        { documentId: 'document-5', reviewAnswer: 'YELLOW', documentType: 'fishing licence' },
      ],
    });
    expect(await documents()).toEqual([
      { id: 'document-3', type: 'id_card', status: 'rejected', reason: 'Blurred' },
      { id: 'document-4', type: 'passport', status: 'approved', reason: null },
      { id: 'document-5', type: 'other', status: 'pending', reason: null },
    ]);
  });

  test('stay unchanged when the callback names an unknown inspection, but the result for the person counts', async () => {
    await take({ inspectionId: '', documents: [{ documentId: 'lost', reviewAnswer: 'GREEN' }] });
    expect(await profile()).toMatchObject({
      status: 'approved',
      inspection_id: 'inspection-alder-2',
    });
    expect(
      await world.rows(`select from public.kyc_document where provider_document_id = 'lost'`),
    ).toEqual([]);
  });

  test('stay unchanged when the callback does not name them', async () => {
    await take({ documents: [] });
    expect(await documents()).toMatchObject([{ id: 'document-3', status: 'pending' }]);
  });
});

test.each([
  [
    'about an unknown person',
    { externalUserId: 'local|nobody', applicantId: 'applicant-of-nobody' },
    'no user has this externalUserId',
    'user/local|nobody',
  ],
  [
    'about another applicant id of the same person',
    { applicantId: 'applicant-of-others' },
    'the person is another applicant at the provider',
    'applicant/applicant-of-others',
  ],
])('a KYC callback %s is unmatched and waits', async (_name, more, note, awaits) => {
  expect(await take(more)).toMatchObject({ state: 'unmatched', note, awaits });
  expect(await profile()).toMatchObject({ status: 'in_review', review_answer: null });
});

describe('a KYC callback is stored without an effect when it is', () => {
  test.each([
    ['of an unknown type', { type: 'applicantSneezed' }, 'the type or the answer is not known'],
    [
      'about a review with an unknown result',
      { reviewResult: { reviewAnswer: 'BLUE' } },
      'the type or the answer is not known',
    ],
  ])('%s', async (_name, more, note) => {
    expect(await take(more)).toMatchObject({ state: 'ignored', note });
    expect(await profile()).toMatchObject({ status: 'in_review', review_answer: null });
  });

  test('about an applicant id that belongs to another person', async () => {
    await world.rows(`delete from public.kyc_profile where user_id = 'local|alder-trader'`);
    const ids = { externalUserId: 'local|alder-trader', applicantId: 'applicant-alder-2' };
    expect(await take(ids)).toMatchObject({
      state: 'ignored',
      note: 'the applicant is another person',
    });
    expect(await profile('local|alder-trader')).toBeUndefined();
  });
});

describe('when the KYC provider approves', () => {
  const countNotifications = () =>
    world.value(
      `select count(*)::integer from public.notification
       where title = 'A profile that compliance has decided on was reviewed by the provider'`,
    );

  afterEach(async () => {
    await world.rows(
      'update public.kyc_profile set is_sanctioned = false, reviewed_by = null where user_id = $1',
      [person],
    );
  });

  test('a person whom compliance has rejected, the person stays rejected, and compliance is notified', async () => {
    await put('rejected');
    await world.rows('update public.kyc_profile set reviewed_by = $2 where user_id = $1', [
      person,
      'local|alder-admin',
    ]);
    const { note } = await take();
    expect(note).toBe('refused: a profile that is rejected cannot become approved');
    expect(await profile()).toMatchObject({ status: 'rejected', review_answer: 'GREEN' });
    expect(await countNotifications()).toBeGreaterThan(0);
  });

  test('a person on a sanctions list, the person is not approved, and compliance is notified', async () => {
    await world.rows('update public.kyc_profile set is_sanctioned = true where user_id = $1', [
      person,
    ]);
    await take();
    expect(await profile()).toMatchObject({ status: 'in_review', review_answer: 'GREEN' });
    expect(await countNotifications()).toBeGreaterThan(0);
  });
});
