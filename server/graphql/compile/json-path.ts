import { RequestError } from '../request-error.ts';

/** `$.a.b[0]['a key']` → `['a', 'b', '0', 'a key']`. @throws RequestError with code parse-failed */
export function parseJsonPath(text: string, path: string): readonly string[] {
  const step = /\.?(?:\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\])|(?:^|\.)([^.[\]'"]+)/y;
  const steps: string[] = [];
  step.lastIndex = text.startsWith('$') ? 1 : 0;
  while (step.lastIndex < text.length) {
    const start = step.lastIndex;
    const match = step.exec(text);
    if (!match) {
      const message = `the JSON path ${JSON.stringify(text)} cannot be read from character ${start + 1} on`;
      throw new RequestError('parse-failed', message, path);
    }
    steps.push(match.slice(1).find((part) => part !== undefined) ?? '');
  }
  return steps;
}
