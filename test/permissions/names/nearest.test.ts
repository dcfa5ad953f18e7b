import { expect, test } from 'vitest';
import { didYouMean, nearest } from '../../../permissions/text/nearest.ts';

const columns = ['id', 'total', 'status', 'internal_notes', 'user'];

test.each([
  ['totl', 'total'],
  ['toatl', 'total'],
  ['Status', 'status'],
  ['internal_note', 'internal_notes'],
  ['intrenal_nots', 'internal_notes'],
  ['ida', 'id'],
])('nearest suggests %s for the misspelt %s', (written, meant) => {
  expect(nearest(written, columns)).toBe(meant);
});

test.each(['amount', '', 'x', 'a'.repeat(100_000)])(
  'nearest returns no suggestion for a name that is far from all others',
  (written) => {
    expect(nearest(written, columns)).toBeUndefined();
    expect(didYouMean(written, columns)).toBeUndefined();
  },
);

test('nearest returns the first of two equally near names', () => {
  expect(nearest('cat', ['bat', 'rat'])).toBe('bat');
});

test('nearest returns the nearer name even if it comes later', () => {
  expect(nearest('status', ['statute', 'statuss'])).toBe('statuss');
});

test('didYouMean turns the nearest name into a hint', () => {
  expect(didYouMean('totl', columns)).toBe('did you mean "total"?');
});
