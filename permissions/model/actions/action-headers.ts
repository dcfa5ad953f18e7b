/** Of the connection or of what Rowgate sends itself; a handler would take a client's for those. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'host', 'user-agent'],
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...['proxy-authorization', 'proxy-connection', 'accept-encoding', 'x-platform-api-token'],
]);

/** Prefixes of headers that prove who calls, or say so. */
const sessionPrefixes = ['x-gql-', 'x-hasura-'];

/** Whether a client's header, in lower case, may be sent to handlers. Secrets of the gateway may not. */
export function isForwardable(name: string, headerPrefix: string): boolean {
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || ownHeaders.has(name)) return false;
  return ![headerPrefix.toLowerCase(), ...sessionPrefixes].some((one) => name.startsWith(one));
}
