import { expect } from 'vitest';
import type { Answer } from './gateway.ts';

/** Returns the data of an answer, which must have no errors. */
export function dataOf({ data, errors }: Answer): Answer['data'] {
  expect(errors).toBeUndefined();
  return data;
}
