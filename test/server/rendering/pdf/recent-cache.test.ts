import { describe, expect, it } from 'vitest';
import { RecentCache } from '../../../../server/rendering/pdf/text/recent-cache.ts';

/** Reads the keys in this order and counts how often the value of each is computed. */
function made(half: number, keys: readonly string[]): Record<string, number> {
  const recent = new RecentCache<string>(half);
  const counts: Record<string, number> = {};
  for (const key of keys) {
    recent.get(key, () => {
      counts[key] = (counts[key] ?? 0) + 1;
      return key;
    });
  }
  return counts;
}

describe('a value in the recent cache', () => {
  it('stays while the keys have at most the maximum length', () => {
    expect(made(4, ['aa', 'bb', 'cc', 'aa', 'bb', 'cc'])).toEqual({ aa: 1, bb: 1, cc: 1 });
  });

  it('is dropped after twice the maximum length of later keys', () => {
    expect(made(4, ['aa', 'bb', 'cc', 'dd', 'ee', 'aa'])).toMatchObject({ aa: 2, ee: 1 });
  });

  it('stays when it is read again', () => {
    expect(made(4, ['aa', 'bb', 'cc', 'aa', 'dd', 'ee', 'aa'])).toMatchObject({ aa: 1 });
  });

  it('is not stored when its key exceeds the maximum length', () => {
    expect(made(4, ['aa', 'bbbbb', 'bbbbb', 'aa'])).toEqual({ aa: 1, bbbbb: 2 });
  });
});
