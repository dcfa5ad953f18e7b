import { RequestError } from '../request-error.ts';
import type { ClientValue } from './client-value.ts';

const HALF_MESSAGE = 'a text contains one half of a surrogate pair, which is not a character';
const NUL_MESSAGE = 'a text contains the character U+0000, which Postgres cannot store';

/** Refuses texts, including keys of objects, that Postgres cannot store or would receive changed. */
export function checkText(given: ClientValue, path: string): void {
  if (given.kind === 'string') checkCharacters(given.text, path);
  else if (given.kind === 'list') {
    for (const [index, item] of given.items.entries()) checkText(item, `${path}[${index}]`);
  } else if (given.kind === 'object') {
    for (const [key, item] of given.fields) {
      checkCharacters(key, path);
      checkText(item, `${path}.${key}`);
    }
  }
}

function checkCharacters(text: string, path: string): void {
  if (!text.isWellFormed()) throw new RequestError('parse-failed', HALF_MESSAGE, path);
  if (text.includes('\0')) throw new RequestError('parse-failed', NUL_MESSAGE, path);
}
