import type { ImportReport } from '../import-report.ts';
import type { ImportedEvent, Plain } from '../imported.ts';
import { type Cursor, field, flag, items, members, required, text } from '../input/cursor.ts';
import {
  eventName,
  extraKeys,
  reportExtras,
  translateAddress,
  translateHeaders,
  translateRetry,
} from './translate-webhook.ts';

const operations = ['insert', 'update', 'delete'] as const;

const known = [
  ...['name', 'definition', 'webhook', 'webhook_from_env', 'headers', 'retry_conf'],
  ...['trigger_on_replication', 'comment', ...extraKeys],
];

const retryKeys = { limit: 'num_retries', interval: 'interval_sec', timeout: 'timeout_sec' };

/** The state that the event triggers of all tables share. */
export interface EventScope {
  readonly report: ImportReport;
  /** Names of event triggers that are in use already. */
  readonly eventNames: Set<string>;
}

/** Translates the `event_triggers` of a table to its section `events`. `label` is the table's name for messages. */
export function translateEvents(
  table: Cursor,
  label: string,
  scope: EventScope,
): readonly ImportedEvent[] {
  return items(field(table, 'event_triggers')).flatMap(
    (from) => translateEvent(from, label, scope) ?? [],
  );
}

function translateEvent(
  from: Cursor,
  label: string,
  { report, eventNames }: EventScope,
): ImportedEvent | undefined {
  const where = `${label}, event trigger "${text(required(from, 'name'))}"`;
  const definition = required(from, 'definition');
  const listened = operations.filter((operation) => field(definition, operation));
  const webhook = translateAddress(from);
  if (listened.length === 0 || webhook === undefined) {
    const why = webhook === undefined ? 'it has no webhook' : 'it listens to no change of rows';
    report.add('feature', from, `${where} is left out: ${why}`);
    return undefined;
  }
  tellRest(from, definition, where, report);
  const headers = translateHeaders(field(from, 'headers'));
  const columns = columnsOf(field(definition, 'update'), 'columns');
  const payload = payloadOf(definition, listened, where, report);
  const body = new Map<string, Plain>([['operations', listened]]);
  if (columns) body.set('columns', columns);
  if (payload) body.set('payload', payload);
  body.set('webhook', webhook);
  if (headers.size > 0) body.set('headers', headers);
  body.set('retry', translateRetry(field(from, 'retry_conf'), retryKeys, where, report));
  return { name: eventName(from, `${label}: the event trigger`, eventNames, report), body, from };
}

function tellRest(from: Cursor, definition: Cursor, where: string, report: ImportReport): void {
  report.unknownKeys(members(from), known, where);
  report.unknownKeys(members(definition), [...operations, 'enable_manual'], where);
  reportExtras(from, where, report);
  if (flag(field(definition, 'enable_manual'))) {
    const message = `${where}: it cannot be invoked by hand`;
    report.add('feature', definition, message, 'rowgate events redeliver sends one again');
  }
  if (flag(field(from, 'trigger_on_replication'))) {
    report.add('feature', from, `${where}: what replication writes fires nothing`);
  }
}

/** Returns the columns of one operation of an event trigger. Undefined means all columns. */
function columnsOf(operation: Cursor | undefined, key: string): readonly string[] | undefined {
  const list = operation && field(operation, key);
  return list?.node.kind === 'list' && list.node.items.length > 0
    ? items(list).map(text)
    : undefined;
}

/**
 * Returns the columns of an event's payload. In Hasura each operation has its own columns, but in Rowgate all
 * operations share one list. When the lists differ, the payload contains the columns of all of them.
 */
function payloadOf(
  definition: Cursor,
  listened: readonly (typeof operations)[number][],
  where: string,
  report: ImportReport,
): readonly string[] | undefined {
  const choices = listened.map((operation) =>
    columnsOf(field(definition, operation), operation === 'update' ? 'payload' : 'columns'),
  );
  const sorted = choices.map((choice) => JSON.stringify(choice?.toSorted() ?? '*'));
  if (new Set(sorted).size > 1) {
    const message = `${where}: every operation sends the same columns, those that any of them sends in Hasura`;
    report.add('change', definition, message, 'write "payload", or make a trigger an operation');
  }
  const all = choices.flatMap((choice) => choice ?? []);
  return choices.every((choice) => choice !== undefined) ? [...new Set(all)] : undefined;
}
