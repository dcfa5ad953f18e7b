import type { TokenLocation } from '../../config/authentication/jwt-config.ts';
import { CallerError, type Headers } from '../authenticate.ts';

/**
 * Reads the token at one place of a request; undefined without a token.
 * @throws CallerError for a malformed header
 */
export function readTokenAt(location: TokenLocation, headers: Headers): string | undefined {
  if (location.kind === 'cookie') return readCookie(location.name, headers);
  const name = location.kind === 'header' ? location.name : 'authorization';
  const [value, another] = headers[name] ?? [];
  if (value === undefined) return undefined;
  const scheme = location.kind === 'header' ? '(?:bearer +)?' : 'bearer +';
  const token = new RegExp(`^${scheme}([^\\s,]+) *$`, 'i').exec(value)?.[1];
  if (token !== undefined && another === undefined) return token;
  const shown = location.kind === 'header' ? name : 'Authorization';
  throw new CallerError('invalid-headers', `Malformed ${shown} header`);
}

/**
 * Returns the value of a cookie. An empty cookie counts as a missing cookie, because pages sign out by emptying it.
 * @throws CallerError for a cookie that is sent twice
 */
export function readCookie(name: string, headers: Headers): string | undefined {
  const pairs = (headers.cookie ?? []).flatMap((header) => header.split(';'));
  const values = pairs
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1).replace(/^"(.*)"$/, '$1'))
    .filter((value) => value !== '');
  // The browser decides the order of cookies with equal names, and another site of the domain can set one of them.
  if (values.length > 1) {
    throw new CallerError('invalid-headers', `the cookie "${name}" is sent twice`);
  }
  return values[0];
}

/** Makes the error for a request without a token, with Hasura's message. */
export function missingToken(locations: readonly TokenLocation[]): CallerError {
  const custom = locations.flatMap((one) => (one.kind === 'header' ? [`'${one.name}'`] : []));
  const usual = custom.length < locations.length ? ["'Authorization'", "'Cookie'"] : [];
  const names = [...usual, ...custom].join(' or ');
  return new CallerError('invalid-headers', `Missing ${names} header in JWT authentication mode`);
}
