import { describe, expect, it } from 'vitest';
import { RecentCache } from '../../../../server/rendering/pdf/text/recent-cache.ts';

/** How often each of the keys is made when all are asked for in this order. */
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

describe('what was asked for lately', () => {
  it('is kept, up to so many characters', () => {
    expect(made(4, ['aa', 'bb', 'cc', 'aa', 'bb', 'cc'])).toEqual({ aa: 1, bb: 1, cc: 1 });
  });

  it('is let go when twice as many came after it', () => {
    expect(made(4, ['aa', 'bb', 'cc', 'dd', 'ee', 'aa'])).toMatchObject({ aa: 2, ee: 1 });
  });

  it('stays when it is asked for again', () => {
    expect(made(4, ['aa', 'bb', 'cc', 'aa', 'dd', 'ee', 'aa'])).toMatchObject({ aa: 1 });
  });

  it('is not kept when it alone is longer than there is room for', () => {
    expect(made(4, ['aa', 'bbbbb', 'bbbbb', 'aa'])).toEqual({ aa: 1, bbbbb: 2 });
  });
});
