import { quote } from '../../../text/characters.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportedSchedule, Plain } from '../imported.ts';
import { type Cursor, field, isEmpty, items, members, required, text } from '../input/cursor.ts';
import { plain } from '../values.ts';
import {
  eventName,
  extraKeys,
  reportExtras,
  translateAddress,
  translateRetry,
} from './translate-webhook.ts';

const known = [
  ...['name', 'webhook', 'webhook_from_env', 'schedule', 'payload', 'headers', 'retry_conf'],
  ...['include_in_metadata', 'comment', ...extraKeys],
];

const retryKeys = {
  limit: 'num_retries',
  interval: 'retry_interval_seconds',
  timeout: 'timeout_seconds',
};

/** Translates `cron_triggers` to cron.yaml. Hasura uses only the time zone UTC. */
export function translateCron(root: Cursor, report: ImportReport): readonly ImportedSchedule[] {
  const taken = new Set<string>();
  return items(field(root, 'cron_triggers')).flatMap(
    (from) => translateSchedule(from, taken, report) ?? [],
  );
}

function translateSchedule(
  from: Cursor,
  taken: Set<string>,
  report: ImportReport,
): ImportedSchedule | undefined {
  const where = `the cron trigger ${quote(text(required(from, 'name')))}`;
  const webhook = translateAddress(from);
  if (webhook === undefined) {
    report.add('feature', from, `${where} is left out: it has no webhook`);
    return undefined;
  }
  report.unknownKeys(members(from), known, where);
  reportExtras(from, where, report);
  const headers = field(from, 'headers');
  if (headers && !isEmpty(headers)) {
    const hint = 'let the webhook know it by its address, or by x-platform-api-token';
    report.add('feature', headers, `${where}: a schedule sends no headers of its own`, hint);
  }
  const payload = field(from, 'payload');
  const body = new Map<string, Plain>([
    ['schedule', text(required(from, 'schedule'))],
    ['webhook', webhook],
  ]);
  if (payload) body.set('payload', plain(payload.node));
  body.set('retry', translateRetry(field(from, 'retry_conf'), retryKeys, where, report));
  const comment = field(from, 'comment');
  return {
    name: eventName(from, 'the cron trigger', taken, report),
    body,
    comment: comment && text(comment),
    from,
  };
}
