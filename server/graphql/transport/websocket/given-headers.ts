import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Headers } from '../../../caller/authenticate.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { RequestError } from '../../request-error.ts';

/** As many as a request brings, with much to spare. */
const mostHeaders = 100;
/** Characters of all names and values. */
const mostCharacters = 16 * 1024;

/**
 * The headers that a client gives when it introduces itself, as `{"headers": {…}}`: browsers can send none with a socket.
 * Of all headers those count that say who asks. Where a page comes from is what its browser says, and so are cookies.
 * @throws RequestError
 */
export function givenHeaders(payload: Json | undefined, headerPrefix: string): Headers {
  const given = isJsonObject(payload) ? (payload.headers ?? {}) : {};
  if (!isJsonObject(given)) throw unreadable('"headers" must be an object');
  const prefix = headerPrefix.toLowerCase();
  const entries = Object.entries(given);
  if (entries.length > mostHeaders) throw unreadable(`there are more than ${mostHeaders} headers`);
  const headers = new Map<string, string[]>();
  let left = mostCharacters;
  for (const [key, value] of entries) {
    const name = key.toLowerCase();
    if (name !== 'authorization' && !name.startsWith(prefix)) continue;
    const values = headers.get(name) ?? [];
    values.push(asSent(name, value));
    headers.set(name, values);
    left -= name.length + String(value).length;
    if (left < 0) throw unreadable(`the headers have more than ${mostCharacters} characters`);
  }
  return Object.fromEntries(headers);
}

/** As Node reads it off the wire, where every byte is a character. */
function asSent(name: string, value: Json): string {
  if (typeof value !== 'string') throw unreadable(`header "${name}" must be a string`);
  const bytes = Buffer.from(value.trim(), 'utf8').toString('latin1');
  try {
    validateHeaderName(name);
    validateHeaderValue(name, bytes);
  } catch {
    throw unreadable(`header "${name}" holds what no header may hold`);
  }
  return bytes;
}

function unreadable(problem: string): RequestError {
  return new RequestError('invalid-headers', problem, '$.payload.headers');
}
