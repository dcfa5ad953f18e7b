import { isDeepStrictEqual } from 'node:util';

/**
 * How near an answer comes: 0 not at all; 1 the same data, or an error where one is expected; 2 the error's code too;
 * 3 its message, of which the expected one is the beginning, and its path too; 4 the order of keys too.
 */
export type Level = 0 | 1 | 2 | 3 | 4;

type Json = Readonly<Record<string, unknown>>;

/** Compares an answer, or those of a batch, with what is expected. */
export function levelOf(expected: unknown, answer: unknown): Level {
  if (Array.isArray(expected)) return levelOfBatch(expected, answer);
  const [wanted, given] = [errorIn(expected), errorIn(answer)];
  if (wanted && given) return levelOfError(wanted, given);
  if (wanted || given) return 0;
  return levelOfData(dataOf(expected), dataOf(answer));
}

/** Whether an answer tells of an error. */
export function isRefusal(answer: unknown): boolean {
  return errorIn(answer) !== undefined;
}

function levelOfBatch(expected: readonly unknown[], answer: unknown): Level {
  if (!Array.isArray(answer) || answer.length !== expected.length) return 0;
  return lowest(expected.map((one, index) => levelOf(one, answer[index])));
}

/** The lowest of the levels; 4 where there is none. */
export function lowest(levels: readonly Level[]): Level {
  return levels.reduce<Level>((low, level) => (level < low ? level : low), 4);
}

function levelOfData(expected: unknown, data: unknown): Level {
  if (!isDeepStrictEqual(expected, data)) return 0;
  return JSON.stringify(expected) === JSON.stringify(data) ? 4 : 3;
}

function levelOfError(expected: Json, error: Json): Level {
  const [wanted, given] = [errorParts(expected), errorParts(error)];
  if (wanted.code !== given.code) return 1;
  const told = given.message.startsWith(wanted.message) && wanted.path === given.path;
  return told ? 4 : 2;
}

function errorParts(error: Json) {
  const { extensions } = error;
  const { code, path } = isObject(extensions) ? extensions : error;
  return { code, path, message: String(error.message ?? error.error ?? '') };
}

/** The first error of an answer, which older endpoints write without a list. */
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
