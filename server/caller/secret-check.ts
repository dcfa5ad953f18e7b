import { hash, timingSafeEqual } from 'node:crypto';

/** Makes a function that checks in constant time whether a given secret is one of the expected ones. */
export function secretCheck(expected: readonly string[]): (given: string) => boolean {
  const digests = expected.map(digestOf);
  return (given) => {
    const digest = digestOf(given);
    // `filter` compares with every digest. `some` would stop at a match, and the time would reveal which secret
    // matched.
    return digests.filter((one) => timingSafeEqual(digest, one)).length > 0;
  };
}

// A digest has a fixed length, so the time of the comparison does not reveal the length of the secret.
function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
