import type { Report } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import type { RawEntry, RawName } from '../yaml/node.ts';
import { keyOf, nameOf } from '../yaml/raw-access.ts';

/** Settings that hold secrets of the platform and of Postgres: no webhook may be sent them. */
const withheld = /^(?:ROWGATE_|DATABASE_|PG|NODE_)/i;

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Whether each `{{NAME}}` of a text is a variable of the environment that may be sent; what is not is reported. */
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

/** Where events are sent, as it is written. What is no path of this platform and no http(s) URL is reported. */
export function readWebhook(raw: RawName, report: Report): string {
  if (!hasGoodPlaceholders(raw, report)) return raw.name;
  const problem = raw.name.startsWith('/') ? pathProblem(raw.name) : urlProblem(raw.name);
  // The address itself is not told: it may hold a password.
  if (problem) report.error('RG_WEBHOOK', raw.position, `the webhook ${problem[0]}`, problem[1]);
  return raw.name;
}

type Problem = readonly [message: string, hint: string];

/** A path must stay one after it is joined with this platform's address: the secret token goes along. */
function pathProblem(path: string): Problem | undefined {
  const parts = path.split(/[/?]/);
  if (/^\/[A-Za-z0-9_~-][!$-;=?-Z_a-z{}~]*$/.test(path) && !parts.includes('..')) return undefined;
  return [
    'is no path of this platform',
    'write it as in an address, e.g. /webhooks/on-user-insert, without spaces, "#", "\\" and ".."',
  ];
}

function urlProblem(text: string): Problem | undefined {
  // Wholly of the environment: what it says is looked at when it is used.
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

/** What delivery itself says in a request: the platform's own token above all. */
const reserved: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'host', 'x-platform-api-token'],
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
]);

/** Headers that are sent along. Names that are none or not free, and values that cannot be sent, are reported. */
export function readHeaders(
  entries: readonly RawEntry[],
  report: Report,
): readonly { readonly name: string; readonly value: string }[] {
  const seen = new Set<string>();
  return entries.map((entry) => {
    const value = nameOf(entry.value);
    const problem = headerProblem(entry.key, seen);
    if (problem) {
      const { name, position } = keyOf(entry);
      report.error('RG_HEADER', position, `the header ${quote(name)} ${problem}`);
    }
    seen.add(entry.key.toLowerCase());
    if (hasGoodPlaceholders(value, report) && !/^[\t\x20-\x7e]*$/.test(value.name)) {
      const message = `the value of the header ${quote(entry.key)} cannot be sent`;
      report.error('RG_HEADER', value.position, message, 'use one line of ASCII');
    }
    return { name: entry.key, value: value.name };
  });
}

function headerProblem(name: string, seen: ReadonlySet<string>): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return 'is no name of a header';
  if (reserved.has(name.toLowerCase())) return 'is one that Rowgate sends by itself';
  return seen.has(name.toLowerCase()) ? 'is given twice' : undefined;
}
