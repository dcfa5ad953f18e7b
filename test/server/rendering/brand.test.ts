import { describe, expect, test } from 'vitest';
import { contrast, textOn } from '../../../server/rendering/brand.ts';

const colours = [
  '#000000',
  '#ffffff',
  '#777777',
  '#767676',
  '#24566b',
  '#ffcc00',
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#808000',
  '#ff69b4',
];

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#ff0000', '#ffffff', 4],
])('the contrast between the colours %s and %s is %d', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 2);
  expect(contrast(other, one)).toBe(contrast(one, other));
});

describe('the colour chosen for text on a background has enough contrast', () => {
  test.each(colours)('on %s', (colour) => {
    expect(contrast(textOn(colour), colour)).toBeGreaterThanOrEqual(4.5);
  });

  test('on every grey', () => {
    const greys = Array.from(
      { length: 256 },
      (_, level) => `#${level.toString(16).padStart(2, '0').repeat(3)}`,
    );
    expect(greys.filter((grey) => contrast(textOn(grey), grey) < 4.5)).toEqual([]);
  });
});
