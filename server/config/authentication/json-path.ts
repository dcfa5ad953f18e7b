import { AuthenticationProblem } from './authentication-problem.ts';

/** The names and indexes that lead to a value in JSON. */
export type JsonPath = readonly (string | number)[];

const step = /\.([^.[\]'"\s]+)|\[(\d{1,6})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Parses a path such as `$.user['https://example.com/id'][0]`. @throws AuthenticationProblem */
export function parseJsonPath(text: string): JsonPath {
  const path: (string | number)[] = [];
  step.lastIndex = 1;
  while (text.startsWith('$') && step.lastIndex < text.length) {
    const [found, name, index, single, double] = step.exec(text) ?? [];
    if (found === undefined) break;
    if (index !== undefined) path.push(Number(index));
    else path.push(name ?? (single ?? double ?? '').replaceAll(/\\(.)/g, '$1'));
    if (step.lastIndex === text.length) return path;
  }
  if (text === '$') return path;
  throw new AuthenticationProblem(
    `has the path ${JSON.stringify(text)}; write it like $.user.id, $.roles[0] or $['https://example.com/claims']`,
  );
}

/** Returns the value at a path; undefined when the path leads to no value. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((found, key) => {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    return (found as Readonly<Record<string | number, unknown>>)[key];
  }, value);
}
