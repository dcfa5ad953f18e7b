import { Type } from 'typebox';
import type { Report } from '../../../diagnostics.ts';
import { quote } from '../../../text/characters.ts';
import { decoded, type MapEntry, map, placed } from '../../shape/shape.ts';
import type { RawName } from '../../yaml/node.ts';

/** The address of a webhook. Reports an address that is neither a path on this server nor an http(s) URL. */
export const webhook = decoded(
  Type.String({
    title: 'a path of this platform or an http(s) URL',
    description:
      'The address: a /path on this server, or a URL. {{NAME}} stands for an environment variable.',
    minLength: 1,
    maxLength: 2000,
  }),
  (text, { node: { position }, report }) => {
    if (!hasGoodPlaceholders({ name: text, position }, report)) return text;
    const problem = text.startsWith('/') ? pathProblem(text) : urlProblem(text);
    // The message does not quote the address, because it may hold a password.
    if (problem) report.error('RG_WEBHOOK', position, `the webhook ${problem[0]}`, problem[1]);
    return text;
  },
);

/** Headers of a webhook. Reports invalid and reserved names, and values that cannot be sent. */
export const headers = decoded(
  map(placed(Type.String({ title: 'text', maxLength: 4000 })), {
    title: 'a map of headers to values',
    description: 'Headers of the request. {{NAME}} stands for an environment variable.',
  }),
  (entries, { report }) => {
    checkHeaders(entries, report);
    return entries.map(({ key, value }) => ({ name: key.name, value: value.name }));
  },
);

/**
 * Environment variables that may hold secrets of the server or of Postgres. `{{NAME}}` must not send them to a webhook.
 */
const withheld = /^(?:ROWGATE_|DATABASE_|PG|NODE_)/i;

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

/**
 * Returns whether each `{{NAME}}` in a text names an environment variable that webhooks may receive. Reports the
 * others.
 */
function hasGoodPlaceholders({ name: text, position }: RawName, report: Report): boolean {
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name);
  const bad = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  const rest = text.replace(placeholder, '');
  if (bad !== undefined || rest.includes('{{') || rest.includes('}}')) {
    const hint = 'write {{NAME}} for a variable of the environment';
    report.error('RG_WEBHOOK', position, 'what stands in {{ }} is no name', hint);
    return false;
  }
  const secret = names.find((name) => withheld.test(name));
  if (secret === undefined) return true;
  const message = `{{${secret}}} is not for webhooks`;
  const hint = 'names that begin with ROWGATE_, DATABASE_, PG or NODE_ stay here; use another';
  report.error('RG_WEBHOOK', position, message, hint);
  return false;
}

type Problem = readonly [message: string, hint: string];

/**
 * Returns why a path cannot be the address of a webhook. The request to a path carries a secret token. So joining the
 * path with this server's address must not give an address of another server.
 */
function pathProblem(path: string): Problem | undefined {
  const parts = path.split(/[/?]/);
  if (/^\/[A-Za-z0-9_~-][!$-;=?-Z_a-z{}~]*$/.test(path) && !parts.includes('..')) return undefined;
  return [
    'is no path of this platform',
    'write it as in an address, e.g. /webhooks/on-user-insert, without spaces, "#", "\\" and ".."',
  ];
}

function urlProblem(text: string): Problem | undefined {
  // The value of an environment variable is unknown when metadata is loaded. Such an address is checked at each
  // delivery.
  if (/^\{\{[^{}]*\}\}/.test(text)) return undefined;
  const filled = text.replace(placeholder, '1');
  const url = /^https?:\/\/[^/\\?#]/i.test(filled) && !/[\s\\]/.test(filled) && URL.parse(filled);
  if (!url) {
    return [
      'is neither a path nor an http(s) URL',
      'begin it with "/", "https://", "http://" or {{NAME}}',
    ];
  }
  if (url.username || url.password) {
    return [
      'holds a user name or password, which logs and errors would show',
      'send it in a header, as {{NAME}} of the environment',
    ];
  }
  return url.hash ? ['holds "#", which no server gets to see', 'leave it out'] : undefined;
}

/**
 * Headers that metadata may not set, because every delivery of a webhook sets them. One of them, x-platform-api-token,
 * carries the platform's secret token.
 */
const reserved: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'host', 'x-platform-api-token'],
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
]);

function checkHeaders(entries: readonly MapEntry<RawName>[], report: Report): void {
  const seen = new Set<string>();
  for (const { key, value } of entries) {
    const problem = headerProblem(key.name, seen);
    if (problem) {
      report.error('RG_HEADER', key.position, `the header ${quote(key.name)} ${problem}`);
    }
    seen.add(key.name.toLowerCase());
    if (hasGoodPlaceholders(value, report) && !/^[\t\x20-\x7e]*$/.test(value.name)) {
      const message = `the value of the header ${quote(key.name)} cannot be sent`;
      report.error('RG_HEADER', value.position, message, 'use one line of ASCII');
    }
  }
}

function headerProblem(name: string, seen: ReadonlySet<string>): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return 'is no name of a header';
  if (reserved.has(name.toLowerCase())) return 'is one that Rowgate sends by itself';
  return seen.has(name.toLowerCase()) ? 'is given twice' : undefined;
}
