import { describe, expect, test } from 'vitest';
import { makeFormat } from '../../../server/rendering/format.ts';

const british = makeFormat('en-GB');
const german = makeFormat('de-DE');

describe('an amount of money', () => {
  test.each([
    ['1250.5', 'EUR', '€1,250.50', '1.250,50 €'],
    ['-0.5', 'USD', '-US$0.50', '-0,50 $'],
    ['0', 'GBP', '£0.00', '0,00 £'],
    ['1250', 'JPY', 'JP¥1,250', '1.250 ¥'],
    ['1.5', 'kwd', 'KWD 1.500', '1,500 KWD'],
  ])(
    '%s %s is printed with the usual number of decimals of the currency',
    (amount, currency, inBritain, inGermany) => {
      expect(plain(british.money(amount, currency))).toBe(inBritain);
      expect(plain(german.money(amount, currency))).toBe(inGermany);
    },
  );

  test.each([
    ['0.0045', 'EUR', '€0.0045'],
    ['12.50000000', 'EUR', '€12.50'],
    ['12.5010', 'EUR', '€12.501'],
    ['123456789012345678901234567890.12', 'EUR', '€123,456,789,012,345,678,901,234,567,890.12'],
    ['0.1234567890123456789012345', 'USD', 'US$0.1234567890123456789012345'],
  ])('%s %s is printed with all of its digits', (amount, currency, expected) => {
    expect(plain(british.money(amount, currency))).toBe(expected);
  });

  test.each([
    ['0.00012345', 'BTC', '0.00012345 BTC'],
    ['1234567', 'USDC', '1,234,567 USDC'],
    ['5.10', 'ether', '5.1 ETHER'],
    ['5', '', '5'],
    ['NaN', 'EUR', 'NaN EUR'],
    ['Infinity', 'EUR', 'Infinity EUR'],
    ['', 'EUR', 'EUR'],
    ['1e5', 'EUR', '1e5 EUR'],
  ])(
    '%s %s in a currency that Intl does not support is printed as amount and code',
    (amount, currency, expected) => {
      expect(british.money(amount, currency)).toBe(expected);
    },
  );
});

describe('a printed number', () => {
  test.each([
    ['1234567.1000', undefined, '1,234,567.1'],
    ['99999999999999999999.999', undefined, '99,999,999,999,999,999,999.999'],
    ['2.345', 2, '2.35'],
    ['-2.345', 2, '-2.35'],
    ['2.5', 0, '3'],
    ['2.1', 8, '2.1'],
    ['NaN', undefined, 'NaN'],
    ['two', 2, 'two'],
  ])('%s with at most %s decimals is %s', (value, most, expected) => {
    expect(british.number(value, most)).toBe(expected);
  });

  test('has the digits and separators of its locale', () => {
    expect(german.number('-1234.5')).toBe('-1.234,5');
    expect(makeFormat('ar-EG').number('1234.5')).toBe('١٬٢٣٤٫٥');
  });
});

test.each([
  ['20', '20%', '20 %'],
  ['7.1250', '7.125%', '7,125 %'],
  ['-0.5', '-0.5%', '-0,5 %'],
  ['none', 'none', 'none'],
])('the rate %s is printed as %s', (value, inBritain, inGermany) => {
  expect(plain(british.percent(value))).toBe(inBritain);
  expect(plain(german.percent(value))).toBe(inGermany);
});

describe('a printed date', () => {
  test.each([
    ['2025-05-03', '3 May 2025', '3. Mai 2025'],
    ['2025-05-03T23:59:59.999Z', '3 May 2025', '3. Mai 2025'],
    ['2025-05-03 23:59:59-11', '4 May 2025', '4. Mai 2025'],
  ])('%s is a day in UTC', (text, inBritain, inGermany) => {
    expect(british.date(text)).toBe(inBritain);
    expect(german.date(text)).toBe(inGermany);
  });

  test.each(['Pacific/Kiritimati', 'America/Los_Angeles'])(
    'without a time stays the same in the time zone %s',
    (timeZone) => {
      expect(british.inZone(timeZone).date('2025-05-03')).toBe('3 May 2025');
    },
  );

  test.each(['infinity', '0044-03-15 BC', '2025-02-40', 'tomorrow', ''])(
    '%j, which is not a valid date, is printed unchanged',
    (text) => {
      expect(british.date(text)).toBe(text);
      expect(british.dateTime(text)).toBe(text);
    },
  );
});

describe('the time zone of a format', () => {
  test.each([
    ['Europe/Zurich', '2025-07-01T22:30:00Z', '2 July 2025', '2 July 2025 at 00:30 CEST'],
    ['Europe/Zurich', '2025-01-01 12:00:00+00', '1 January 2025', '1 January 2025 at 13:00 CET'],
    [
      'America/New_York',
      '2025-01-01T03:00:00Z',
      '31 December 2024',
      /^31 December 2024 at 22:00 GMT-5$/,
    ],
    [
      'Asia/Kathmandu',
      '2025-01-01T18:20:00Z',
      '2 January 2025',
      /^2 January 2025 at 00:05 GMT\+5:45$/,
    ],
  ])('%s moves days and times', (timeZone, iso, day, time) => {
    const format = british.inZone(timeZone);
    expect(format.date(iso)).toBe(day);
    expect(format.dateTime(iso)).toMatch(time);
  });

  test.each([undefined, 'Mars/Olympus'])('is UTC for %s', (timeZone) => {
    expect(british.inZone(timeZone).dateTime('2025-05-03T20:30Z')).toBe('3 May 2025 at 20:30 UTC');
  });
});

describe('a printed time', () => {
  test.each([
    '2025-05-03T20:30:00.000Z',
    '2025-05-03T20:30',
    '2025-05-03 20:30:15.123456+00',
    '2025-05-03 22:30:00+02:00',
    '2025-05-04T02:15:00+0545',
    '2025-05-03T16:30:00-04',
  ])('%s is in UTC', (text) => {
    expect(british.dateTime(text)).toBe('3 May 2025 at 20:30 UTC');
    expect(german.dateTime(text)).toBe('3. Mai 2025 um 20:30 UTC');
  });
});

test('formatting with an invalid language tag fails', () => {
  expect(() => makeFormat('not a locale')).toThrow(RangeError);
});

/** Replaces the special spaces that locales use in numbers by ordinary ones. */
function plain(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ');
}
