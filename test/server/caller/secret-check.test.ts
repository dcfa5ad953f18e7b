import { expect, test } from 'vitest';
import { secretCheck } from '../../../server/caller/secret-check.ts';

const long = 'l'.repeat(300);

test.each([
  ['of usual length', ['first-secret', 'second-secret-ü']],
  ['of which one is very long', ['first-secret', 'second-secret-ü', long]],
])('secrets %s are accepted, one after the other', (_which, secrets) => {
  const isSecret = secretCheck(secrets);
  expect([...secrets, ...secrets].map(isSecret)).not.toContain(false);
});

test.each([
  ['an empty text', ''],
  ['the beginning of a secret', 'first-secre'],
  ['a secret with a further character', 'first-secret!'],
  ['a secret with a zero byte', 'first-secret\0'],
  ['a secret in upper case', 'FIRST-SECRET'],
  ['a text of the same length', 'first-secres'],
  ['a long text that begins with a secret', `first-secret${long}`],
])('%s is refused, also after a secret was accepted', (_what, given) => {
  for (const secrets of [['first-secret'], ['first-secret', long]]) {
    const isSecret = secretCheck(secrets);
    expect([isSecret('first-secret'), isSecret(given)]).toEqual([true, false]);
  }
});
