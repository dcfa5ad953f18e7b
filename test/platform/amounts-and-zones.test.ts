import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFormat } from '../../server/rendering/format.ts';
import { openPlatform, type PlatformOwner } from './platform-owner.ts';

let platform: PlatformOwner;

beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform.close());

const format = makeFormat('en-GB');
const amounts = ['0', '0.1', '-0.05', '1', '12.30', '999', '1000.10', '-1234567.89'];
const large = ['123456789012345678.91', '0.000000000000000001'];

test.each(['USD', 'EUR', 'GBP', 'CHF', 'SGD', 'JPY', 'AUD', 'KWD', 'SEK', 'BTC', 'ETH', 'USDC'])(
  'notifications write amounts of %s like documents and mails',
  async (unit) => {
    const found = await platform.rows(
      'select rowgate_webhooks.money(a, $1) from unnest($2::numeric[]) a',
      [unit, [...amounts, ...large]],
    );
    expect(found.flat()).toEqual([...amounts, ...large].map((one) => format.money(one, unit)));
  },
);

test.each(['UTC', 'Europe/Zurich', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
  'an organization can have the time zone %s',
  async (zone) => {
    const chosen = `update public.organization set time_zone = '${zone}' returning time_zone`;
    expect(await platform.attempt(chosen)).toContainEqual([zone]);
  },
);

test.each([
  ['Mars/Olympus', '22023'],
  ['EST', '23514'],
  ['+02:00', '23514'],
  ['', '23514'],
])('an organization cannot have the time zone "%s"', async (zone, code) => {
  expect(await platform.attempt(`update public.organization set time_zone = '${zone}'`)).toBe(code);
});
