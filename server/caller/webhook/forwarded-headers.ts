import type { Headers as RequestHeaders } from '../authenticate.ts';

/** Headers that describe the connection or the body instead of the caller. A GET to the webhook omits them. */
const omittedFromGet = new Set([
  'accept',
  'accept-datetime',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-md5',
  'content-type',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'referer',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** Returns the headers of a client that a GET to the webhook repeats. */
export function forwardedHeaders(headers: RequestHeaders): Headers {
  // Headers that the client lists in `Connection` are valid for this connection only.
  const hopByHop = (headers.connection ?? [])
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase());
  const forwarded = new Headers();
  for (const [name, values = []] of Object.entries(headers)) {
    if (omittedFromGet.has(name) || hopByHop.includes(name) || name.startsWith('sec-websocket-'))
      continue;
    for (const value of values) forwarded.append(name, value);
  }
  return forwarded;
}

/** Returns all headers of a client for the body of a POST. The values of a repeated header are joined with commas. */
export function allHeaders(headers: RequestHeaders): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, values = []]) => [
    name,
    values.join(name === 'cookie' ? '; ' : ', '),
  ]);
  return Object.fromEntries(entries);
}
