import { describe, expect, test } from 'vitest';
import { lastOccurrence, nextOccurrence } from '../../../server/schedules/occurrence.ts';

function next(cron: string, timezone: string, after: string): string {
  return nextOccurrence({ cron, timezone }, new Date(after)).toISOString();
}

function last(cron: string, timezone: string, at: string): string | undefined {
  return lastOccurrence({ cron, timezone }, new Date(at))?.toISOString();
}

describe('when daylight saving time begins or ends, a schedule', () => {
  test('stays due at the same local time', () => {
    const daily = '0 8 * * *';
    expect(next(daily, 'Europe/Berlin', '2026-03-28T00:00:00Z')).toBe('2026-03-28T07:00:00.000Z');
    expect(next(daily, 'Europe/Berlin', '2026-03-29T00:00:00Z')).toBe('2026-03-29T06:00:00.000Z');
    expect(next(daily, 'America/New_York', '2026-11-01T00:00:00Z')).toBe(
      '2026-11-01T13:00:00.000Z',
    );
    expect(next(daily, 'UTC', '2026-03-29T00:00:00Z')).toBe('2026-03-29T08:00:00.000Z');
  });

  test('is due once at a local time that occurs twice', () => {
    const first = next('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z');
    expect(first.slice(0, 10)).toBe('2026-10-25');
    expect(next('30 2 * * *', 'Europe/Berlin', first).slice(0, 10)).toBe('2026-10-26');
  });

  test('is due on a day on which its local time does not exist', () => {
    const found = next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z');
    expect(found.slice(0, 10)).toBe('2026-03-29');
  });
});

describe('the last time at which a schedule was due', () => {
  test.each([
    ['* * * * *', '2026-05-05T10:00:59Z', '2026-05-05T10:00:00.000Z'],
    ['*/15 * * * *', '2026-05-05T10:15:00Z', '2026-05-05T10:15:00.000Z'],
    ['*/15 * * * *', '2026-05-05T10:14:59Z', '2026-05-05T10:00:00.000Z'],
    ['* 0-22 * * *', '2026-05-05T23:59:59Z', '2026-05-05T22:59:00.000Z'],
    ['0 0 * * *', '2026-05-05T23:59:59Z', '2026-05-05T00:00:00.000Z'],
    ['0 9 * * 1', '2026-05-05T10:00:00Z', '2026-05-04T09:00:00.000Z'],
    ['0 0 31 * *', '2026-05-05T10:00:00Z', '2026-03-31T00:00:00.000Z'],
    ['0 0 29 2 *', '2026-05-05T10:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('of the cron expression %s, computed at %s, is %s', (cron, at, expected) => {
    expect(last(cron, 'UTC', at)).toBe(expected);
  });

  test.each([
    ['Europe/Berlin', '2026-10-25T00:30:05Z', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T01:30:05Z', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T03:31:05Z', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-26T01:30:05Z', '2026-10-26T01:30:00.000Z'],
  ])(
    'in an hour that occurs twice in %s is the first of the two, also when computed at %s',
    (timezone, at, expected) => {
      expect(last('30 2 * * *', timezone, at)).toBe(expected);
    },
  );

  test('is found on a day whose midnight does not exist', () => {
    expect(last('0 0 * * *', 'Asia/Beirut', '2026-03-29T06:59:21Z')).toBe(
      '2026-03-28T22:00:00.000Z',
    );
  });

  test('can be in either of the two hours when a half-hourly schedule is due in a repeated hour', () => {
    const found = ['2026-10-25T00:30:05Z', '2026-10-25T01:30:05Z'].map((at) =>
      last('*/30 * * * *', 'Europe/Berlin', at),
    );
    expect(found).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']);
  });
});
