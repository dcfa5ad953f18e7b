import type { ListedEvent } from '../api/work-answers.ts';

/** The states of events in the words of the screen. */
export const stateWords: Readonly<Record<ListedEvent['state'], string>> = {
  pending: 'waiting',
  failed: 'failed, tried again',
  delivered: 'delivered',
  dead: 'given up',
};

/** Returns a time in the language and the time zone of the browser. */
export function timeWords(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const;

/** Returns a duration in its two largest units, such as `2 h 5 min`. */
export function durationWords(seconds: number): string {
  const found = units.find(([, length]) => seconds >= length);
  if (!found) return `${Math.round(seconds)} s`;
  const [unit, length] = found;
  const rest = Math.round(seconds) % length;
  return rest === 0 || unit === 'd'
    ? `${Math.floor(seconds / length)} ${unit}`
    : `${Math.floor(seconds / length)} ${unit} ${durationWords(rest).split(' ').slice(0, 2).join(' ')}`;
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
}

/** Breaks JSON into lines. The text of values stays as it is, so that numbers keep all digits. */
export function indentJson(json: string): string {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  return tokens
    .map((token, at) => {
      if (token === '{' || token === '[') {
        depth += 1;
        return /[}\]]/.test(tokens[at + 1] ?? '') ? token : `${token}${line()}`;
      }
      if (token === '}' || token === ']') {
        depth -= 1;
        return /[{[]/.test(tokens[at - 1] ?? '') ? token : `${line()}${token}`;
      }
      if (token === ',') return `,${line()}`;
      return token === ':' ? ': ' : token;
    })
    .join('');
}
