import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CallbackWorld } from './support/callback-world.ts';
import { cardPayload } from './support/payloads.ts';

const card = 'c0000000-0000-4000-8000-000000000101';
const holder = 'local|alder-cardholder';
const later = '2026-03-11T12:00:00Z';

let world: CallbackWorld;
beforeAll(async () => {
  world = await CallbackWorld.make();
});
afterAll(() => world.end());

beforeEach(async () => {
  await put('active');
  await world.rows('delete from rowgate_webhooks.last_heard');
  await world.rows('delete from rowgate_webhooks.inbox');
  await world.rows(`delete from public.notification where created_at > now() - interval '1 hour'`);
});

/** Changes the status of the card and bypasses the checks of status changes. */
async function put(to: string): Promise<void> {
  await world.rows('alter table public.card disable trigger check_move');
  await world.rows('update public.card set status = $2 where id = $1', [card, to]);
  await world.rows('alter table public.card enable trigger check_move');
}

const take = (eventType: string, more: Readonly<Record<string, unknown>> = {}) =>
  world.take('card', cardPayload({ eventType, ...more }));

const status = () => world.value('select status from public.card where id = $1', [card]);

describe('a card, by callbacks of its issuer,', () => {
  test.each([
    ['CARD_FROZEN', 'active', 'frozen'],
    ['CARD_UNFROZEN', 'frozen', 'active'],
    ['CARD_LOCKED', 'active', 'locked'],
    ['CARD_EXPIRED', 'active', 'expired'],
    ['CARD_CANCELLED', 'frozen', 'cancelled'],
    ['CARD_ACTIVATED', 'draft', 'active'],
  ])('after %s goes from %s to %s, and its holder is notified', async (eventType, from, to) => {
    await put(from);
    await take(eventType);
    expect(await status()).toBe(to);
    expect(await world.notifications(holder)).toEqual([`Your card is ${to}`]);
  });

  test('tells its holder which card was frozen, and what that means', async () => {
    await put('active');
    await take('CARD_FROZEN');
    const body = await world.value(
      "select body from public.notification where user_id = $1 and title = 'Your card is frozen' order by created_at desc limit 1",
      [holder],
    );
    expect(body).toMatch(
      /^Travel ···· \d{4}\. Payments with it are declined until you unfreeze it in the app of the card issuer\.$/,
    );
  });

  test('changes its status also when the callback has no amount', async () => {
    const { eventType, cardId, timestamp } = cardPayload({ eventType: 'CARD_FROZEN' });
    await world.take('card', { eventType, cardId, timestamp });
    expect(await status()).toBe('frozen');
  });

  test('has the status of the newest event, also when an older event arrives later', async () => {
    await take('CARD_LOCKED', { timestamp: later });
    expect(await take('CARD_FROZEN')).toMatchObject({
      note: 'came late: the issuer has reported a newer event',
    });
    expect(await status()).toBe('locked');
  });

  test('that the issuer locked is unlocked by the issuer', async () => {
    await take('CARD_LOCKED');
    await take('CARD_UNLOCKED', { timestamp: later });
    expect(await status()).toBe('active');
  });

  test.each(['CARD_UNLOCKED', 'CARD_UNFROZEN', 'CARD_ACTIVATED'])(
    'that the platform locked is not unlocked by %s',
    async (eventType) => {
      await world.rows(`update public.card set status = 'locked' where id = $1`, [card]);
      const refused = await take(eventType);
      expect(refused.note).toBe(
        `refused: a card that is locked cannot become active by ${eventType}`,
      );
      expect(await status()).toBe('locked');
      expect(
        await world.rows(
          'select from_status, to_status from rowgate_webhooks.refused_move where event_id = $1',
          [refused.id],
        ),
      ).toEqual([{ from_status: 'locked', to_status: 'active' }]);
    },
  );

  test('that is cancelled stays cancelled', async () => {
    await take('CARD_CANCELLED');
    await take('CARD_LOCKED', { timestamp: later });
    expect(await status()).toBe('cancelled');
  });
});
