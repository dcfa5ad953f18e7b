import { isDeepStrictEqual } from 'node:util';

/**
 * The level of agreement with the expected response. 0: no agreement. 1: the same data, or an error as expected. 2:
 * also the code of the error. 3: also the path and the beginning of the message. 4: also the order of keys.
 */
export type Level = 0 | 1 | 2 | 3 | 4;

type Json = Readonly<Record<string, unknown>>;

/** Compares a response, or the responses of a batch, with the expected one. */
export function levelOf(expected: unknown, answer: unknown): Level {
  if (Array.isArray(expected)) return levelOfBatch(expected, answer);
  const [expectedError, given] = [errorIn(expected), errorIn(answer)];
  if (expectedError && given) return levelOfError(expectedError, given);
  if (expectedError || given) return 0;
  return levelOfData(dataOf(expected), dataOf(answer));
}

/** Returns whether a response contains an error. */
export function isRefusal(answer: unknown): boolean {
  return errorIn(answer) !== undefined;
}

function levelOfBatch(expected: readonly unknown[], answer: unknown): Level {
  if (!Array.isArray(answer) || answer.length !== expected.length) return 0;
  return lowest(expected.map((one, index) => levelOf(one, answer[index])));
}

/** Returns the lowest level, or 4 for an empty list. */
export function lowest(levels: readonly Level[]): Level {
  return levels.reduce<Level>((low, level) => (level < low ? level : low), 4);
}

function levelOfData(expected: unknown, data: unknown): Level {
  if (!isDeepStrictEqual(expected, data)) return 0;
  return JSON.stringify(expected) === JSON.stringify(data) ? 4 : 3;
}

function levelOfError(expected: Json, error: Json): Level {
  const [expectedError, given] = [errorParts(expected), errorParts(error)];
  if (expectedError.code !== given.code) return 1;
  const agrees =
    given.message.startsWith(expectedError.message) && expectedError.path === given.path;
  return agrees ? 4 : 2;
}

function errorParts(error: Json) {
  const { extensions } = error;
  const { code, path } = isObject(extensions) ? extensions : error;
  return { code, path, message: String(error.message ?? error.error ?? '') };
}

/** Returns the first error of a response. Older endpoints return it without a list. */
function errorIn(answer: unknown): Json | undefined {
  if (!isObject(answer)) return undefined;
  if (Array.isArray(answer.errors)) return answer.errors[0] as Json | undefined;
  return 'error' in answer ? answer : undefined;
}

function dataOf(answer: unknown): unknown {
  return isObject(answer) && 'data' in answer ? answer.data : answer;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
