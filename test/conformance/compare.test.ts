import { describe, expect, test } from 'vitest';
import { isRefusal, levelOf } from './compare.ts';

const error = (message: string, code: string, path: string) => ({
  errors: [{ message, extensions: { code, path } }],
});
const expected = error('no such field', 'validation-failed', '$.a');

describe('the level of agreement of a response', () => {
  test.each([
    ['the same data', { data: { a: 1, b: [2] } }, { data: { a: 1, b: [2] } }, 4],
    ['data with its keys in another order', { data: { a: 1, b: 2 } }, { data: { b: 2, a: 1 } }, 3],
    ['other data', { data: { a: 1 } }, { data: { a: '1' } }, 0],
    ['rows in another order', { data: { a: [1, 2] } }, { data: { a: [2, 1] } }, 0],
    ['more keys than expected', { data: { a: 1 } }, { data: { a: 1, b: 2 } }, 0],
    ['data for an error', expected, { data: { a: null } }, 0],
    ['an error for data', { data: { a: null } }, expected, 0],
    ['an error with another code', expected, error('no such field', 'unexpected', '$.a'), 1],
    ['an error in other words', expected, error('unknown', 'validation-failed', '$.a'), 2],
    ['an error at another place', expected, error('no such field', 'validation-failed', '$'), 2],
    [
      'an error that says more at its end',
      expected,
      error('no such field; ask again', 'validation-failed', '$.a'),
      4,
    ],
    [
      'an error without a list, as older endpoints write it',
      { error: 'no', code: 'not-found', path: '$' },
      { error: 'no', code: 'not-found', path: '$' },
      4,
    ],
    ['no JSON', { data: { a: 1 } }, 'oops', 0],
    ['the lowest level of a batch', [{ data: 1 }, expected], [{ data: 1 }, error('', '', '')], 1],
    ['a batch of another length', [{ data: 1 }], [{ data: 1 }, { data: 1 }], 0],
    ['no batch where one is expected', [{ data: 1 }], { data: 1 }, 0],
  ])('of %s', (_title, expected, answer, level) => {
    expect(levelOf(expected, answer)).toBe(level);
  });
});

test('a response counts as an error by its errors alone', () => {
  const answers = [expected, { error: 'no' }, { data: { error: 1 } }, { data: null }, 'oops'];
  expect(answers.map(isRefusal)).toEqual([true, true, false, false, false]);
});
