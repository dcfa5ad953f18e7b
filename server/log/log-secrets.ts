import { describeError } from './log-error.ts';
import { mask } from './mask-text.ts';
import { secretNameParts } from './secret-names.ts';

/**
 * Maximum nesting of a logged value. Deeper values are omitted, which also ends the recursion in objects that contain
 * themselves.
 */
const maxDepth = 8;

/** Names of fields whose values are masked at any depth. */
const secretName = new RegExp(
  `${secretNameParts}|authorization|cookie|(^|[-_])pass$|digest|(api|private)[-_]?key|jwt|assertion|(^|[-_])sig$`,
  'i',
);

/**
 * Headers whose values are logged. All others are masked, because event triggers and proxies send credentials in
 * headers with any name.
 */
const shownHeaders = new Set([
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control'],
  ...['access-control-request-headers', 'access-control-request-method', 'connection', 'date'],
  ...['content-encoding', 'content-language', 'content-length', 'content-type', 'dnt', 'expect'],
  ...['forwarded', 'host', 'if-match', 'if-modified-since', 'if-none-match', 'if-range'],
  ...['if-unmodified-since', 'keep-alive', 'origin', 'pragma', 'priority', 'range', 'te'],
  ...['sec-fetch-dest', 'sec-fetch-mode', 'sec-fetch-site', 'sec-fetch-user', 'traceparent'],
  ...['sec-websocket-extensions', 'sec-websocket-version', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'upgrade-insecure-requests', 'user-agent', 'via'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto'],
  ...['x-real-ip', 'x-request-id'],
]);

/**
 * Makes a function that masks secrets in a log line: headers by an allow-list of names, other fields by `secretName`.
 */
export function secretMasker(headerPrefix: string) {
  const prefix = headerPrefix.toLowerCase();

  return (fields: Record<string, unknown>): Record<string, unknown> => maskFields(fields, 0);

  function maskFields(fields: object, depth: number): Record<string, unknown> {
    const entries = Object.entries(fields).map(([name, value]) => [
      name,
      maskField(name, value, depth),
    ]);
    return Object.fromEntries(entries);
  }

  function maskField(name: string, value: unknown, depth: number): unknown {
    if (/headers$/i.test(name)) return maskHeaders(value);
    const mayHold = typeof value === 'string' || (typeof value === 'object' && value !== null);
    return mayHold && secretName.test(name) ? mask : maskValue(value, depth + 1);
  }

  function maskValue(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Error) return describeError(value);
    if (value instanceof Date || value instanceof URL) return value;
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (depth > maxDepth) return '[deep]';
    if (Array.isArray(value)) return value.map((one) => maskValue(one, depth + 1));
    const kind = Object.getPrototypeOf(value);
    // Objects such as connections and requests contain more than a log line may show.
    if (kind !== Object.prototype && kind !== null) return `[${kind.constructor?.name}]`;
    return maskFields(value, depth);
  }

  function maskHeaders(headers: unknown): unknown {
    if (headers instanceof Headers) return maskHeaders(Object.fromEntries(headers));
    if (Array.isArray(headers) || typeof headers !== 'object' || headers === null) return mask;
    const entries = Object.entries(headers).map(([name, value]) => [
      name,
      isShown(name.toLowerCase()) ? value : mask,
    ]);
    return Object.fromEntries(entries);
  }

  function isShown(name: string): boolean {
    if (shownHeaders.has(name)) return true;
    return name.startsWith(prefix) && !secretName.test(name);
  }
}
