import { describe, expect, it } from 'vitest';
import { RecentCache } from '../../../../server/rendering/pdf/text/recent-cache.ts';

/**
 * Reads these keys from a cache in this order. Returns how often the value of each key was
 * computed.
 */
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

describe('a value in the cache of recent values, whose size is the length of its keys,', () => {
  it('stays while the keys read after it are together not longer than the maximum', () => {
    expect(made(4, ['aa', 'bb', 'cc', 'aa', 'bb', 'cc'])).toEqual({ aa: 1, bb: 1, cc: 1 });
  });

  it('is dropped after later keys of twice the maximum length', () => {
    expect(made(4, ['aa', 'bb', 'cc', 'dd', 'ee', 'aa'])).toMatchObject({ aa: 2, ee: 1 });
  });

  it('stays longer when it is read again', () => {
    expect(made(4, ['aa', 'bb', 'cc', 'aa', 'dd', 'ee', 'aa'])).toMatchObject({ aa: 1 });
  });

  it('is not stored when its own key is longer than the maximum', () => {
    expect(made(4, ['aa', 'bbbbb', 'bbbbb', 'aa'])).toEqual({ aa: 1, bbbbb: 2 });
  });
});
