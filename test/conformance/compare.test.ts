import { describe, expect, test } from 'vitest';
import { isRefusal, levelOf } from './compare.ts';

const error = (message: string, code: string, path: string) => ({
  errors: [{ message, extensions: { code, path } }],
});
const expected = error('no such field', 'validation-failed', '$.a');

describe('levelOf, which grades how far a response agrees with the expected one, from 0 (differs) to 4 (equal), gives', () => {
  test.each([
    ['the same data', { data: { a: 1, b: [2] } }, { data: { a: 1, b: [2] } }, 4],
    ['data with its keys in another order', { data: { a: 1, b: 2 } }, { data: { b: 2, a: 1 } }, 3],
    ['other data', { data: { a: 1 } }, { data: { a: '1' } }, 0],
    ['rows in another order than expected', { data: { a: [1, 2] } }, { data: { a: [2, 1] } }, 0],
    ['more keys than expected', { data: { a: 1 } }, { data: { a: 1, b: 2 } }, 0],
    ['data for an error', expected, { data: { a: null } }, 0],
    ['an error for data', { data: { a: null } }, expected, 0],
    [
      'an error with another code than expected',
      expected,
      error('no such field', 'unexpected', '$.a'),
      1,
    ],
    [
      'an error with another message than expected',
      expected,
      error('unknown', 'validation-failed', '$.a'),
      2,
    ],
    [
      'an error with another path than expected',
      expected,
      error('no such field', 'validation-failed', '$'),
      2,
    ],
    [
      'an error whose message continues after the expected text',
      expected,
      error('no such field; ask again', 'validation-failed', '$.a'),
      4,
    ],
    [
      'an error without the list "errors", as older endpoints write it',
      { error: 'no', code: 'not-found', path: '$' },
      { error: 'no', code: 'not-found', path: '$' },
      4,
    ],
    ['a response that is no JSON', { data: { a: 1 } }, 'oops', 0],
    [
      'a batch, by its worst response',
      [{ data: 1 }, expected],
      [{ data: 1 }, error('', '', '')],
      1,
    ],
    ['a batch with another number of responses', [{ data: 1 }], [{ data: 1 }, { data: 1 }], 0],
    ['a single response where a batch is expected', [{ data: 1 }], { data: 1 }, 0],
  ])('%s', (_title, expected, answer, level) => {
    expect(levelOf(expected, answer)).toBe(level);
  });
});

test('isRefusal recognizes an error response by its member "errors" or "error" at the top', () => {
  const answers = [expected, { error: 'no' }, { data: { error: 1 } }, { data: null }, 'oops'];
  expect(answers.map(isRefusal)).toEqual([true, true, false, false, false]);
});
