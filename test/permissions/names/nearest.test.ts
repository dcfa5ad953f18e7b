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
])('takes %s for %s', (written, meant) => {
  expect(nearest(written, columns)).toBe(meant);
});

test.each(['amount', '', 'x', 'a'.repeat(100_000)])(
  'has nothing near to a strange name',
  (written) => {
    expect(nearest(written, columns)).toBeUndefined();
    expect(didYouMean(written, columns)).toBeUndefined();
  },
);

test('takes the first of equally near candidates', () => {
  expect(nearest('cat', ['bat', 'rat'])).toBe('bat');
});

test('prefers the nearer candidate to the first', () => {
  expect(nearest('status', ['statute', 'statuss'])).toBe('statuss');
});

test('gives a hint with the nearest name', () => {
  expect(didYouMean('totl', columns)).toBe('did you mean "total"?');
});
