import type { IncomingMessage } from 'node:http';
import { type Json, parseJson } from '../../json.ts';
import { RequestError } from '../../request-error.ts';

/**
 * Reads the operation in a URL, in the form of a request body; undefined when the URL refers to no known document. A
 * URL may not contain the document itself, because logs and browser histories store URLs.
 * @throws RequestError
 */
export function parseLink({ url = '/' }: Pick<IncomingMessage, 'url'>): Json | undefined {
  const { searchParams: given } = new URL(url, 'http://localhost');
  if (!given.has('extensions') && !given.has('documentId')) return undefined;
  if (given.has('query')) {
    throw new RequestError('bad-request', 'send documents by POST; a URL names them', '$.query');
  }
  const element: Record<string, Json> = {};
  for (const name of ['documentId', 'operationName']) {
    const value = given.get(name);
    if (value !== null) element[name] = value;
  }
  for (const name of ['extensions', 'variables']) {
    const value = given.get(name);
    if (value !== null) element[name] = parseJson(value, `"${name}"`, `$.${name}`);
  }
  return element;
}
