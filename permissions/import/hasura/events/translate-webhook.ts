import type { ImportReport } from '../import-report.ts';
import type { Plain } from '../imported.ts';
import { type Cursor, field, isEmpty, items, members, required, text } from '../input/cursor.ts';

/**
 * Returns a name that Rowgate allows for event triggers, schedules and jobs. Reports when the name had to be changed.
 */
export function eventName(
  from: Cursor,
  what: string,
  taken: Set<string>,
  report: ImportReport,
): string {
  const given = text(required(from, 'name'));
  const plain = given.toLowerCase().replace(/[^a-z0-9_]/g, '_');
  const base = (/^[a-z]/.test(plain) ? plain : `t_${plain}`).slice(0, 60);
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
  taken.add(name);
  if (name !== given) {
    report.add(
      'change',
      from,
      `${what} "${given}" is called "${name}" here, and so in what it sends`,
    );
  }
  return name;
}

/** Returns the address of the webhook: a URL, or a reference to an environment variable. */
export function translateAddress(from: Cursor): string | undefined {
  const variable = field(from, 'webhook_from_env');
  if (variable) return `{{${text(variable)}}}`;
  const webhook = field(from, 'webhook');
  if (webhook && webhook.node.kind === 'map') return `{{${text(required(webhook, 'from_env'))}}}`;
  return webhook && text(webhook);
}

/** Returns the headers of a webhook by name. In a value, `{{NAME}}` stands for an environment variable. */
export function translateHeaders(list: Cursor | undefined): ReadonlyMap<string, Plain> {
  return new Map(
    items(list).map((header) => {
      const variable = field(header, 'value_from_env');
      const value = variable ? `{{${text(variable)}}}` : text(required(header, 'value'));
      return [text(required(header, 'name')), value];
    }),
  );
}

/** Hasura's keys for the three numbers of Rowgate's `retry`, each with Hasura's default. */
export interface RetryKeys {
  readonly limit: string;
  readonly interval: string;
  readonly timeout: string;
}

/** Translates the settings for retries. Missing values get Hasura's defaults, because Rowgate's are higher. */
export function translateRetry(
  conf: Cursor | undefined,
  keys: RetryKeys,
  where: string,
  report: ImportReport,
): ReadonlyMap<string, Plain> {
  const number = (key: string, fallback: number, max: number) => {
    const given = conf && field(conf, key);
    const value = given?.node.kind === 'scalar' ? Number(given.node.value) : fallback;
    const fits = Math.min(Math.max(Math.round(value), key === keys.limit ? 0 : 1), max);
    if (given && fits !== value) report.add('change', given, `${where}: "${key}" is ${fits} here`);
    return fits;
  };
  const known = [...Object.values(keys), 'tolerance_seconds'];
  report.unknownKeys(conf ? members(conf) : [], known, where);
  return new Map([
    ['limit', number(keys.limit, 0, 1000)],
    ['interval', number(keys.interval, 10, 86400)],
    ['timeout', number(keys.timeout, 60, 600)],
  ]);
}

/** Options of webhooks that Hasura has and Rowgate does not: for each key, a description and an instruction. */
const extras: Readonly<Record<string, readonly [string, string]>> = {
  request_transform: [
    'requests are not transformed',
    'let the webhook take the body as Hasura sends it by default',
  ],
  response_transform: ['responses are not transformed', 'let the webhook answer as it should'],
  cleanup_config: [
    'its own clean-up is not imported',
    'ROWGATE_EVENT_RETENTION_DAYS says how long events are kept',
  ],
};

/** Reports each option in `extras` that a webhook sets, because the import omits these options. */
export function reportExtras(from: Cursor, where: string, report: ImportReport): void {
  for (const { key, value } of members(from)) {
    const extra = Object.hasOwn(extras, key) ? extras[key] : undefined;
    if (extra && !isEmpty(value)) report.add('feature', value, `${where}: ${extra[0]}`, extra[1]);
  }
}

export const extraKeys: readonly string[] = Object.keys(extras);
