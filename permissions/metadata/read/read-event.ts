import type { Report } from '../../diagnostics.ts';
import type { Retry } from '../../types/events.ts';
import type { RawEventTrigger } from '../raw.ts';
import type { RawEntry, RawName, RawNode } from '../yaml/node.ts';
import { entriesOf, fieldOf, itemsOf, keyOf, nameOf, requiredFieldOf } from '../yaml/raw-access.ts';
import { isEventName } from './event-names.ts';
import { readHeaders, readWebhook } from './read-webhook.ts';

/** One entry of `events`; names, addresses and headers that cannot be are reported. */
export function readEvent(entry: RawEntry, report: Report): RawEventTrigger {
  const { value } = entry;
  isEventName(keyOf(entry), 'an event trigger', 'RG_EVENT', report);
  const operations = itemsOf(requiredFieldOf(value, 'operations')).map(nameOf);
  const columns = namesIn(value, 'columns');
  const is = (operation: string) => operations.some(({ name }) => name === operation);
  if (columns && !is('update')) {
    const message = '"columns" says which changes matter, and no update fires this trigger';
    report.error('RG_EVENT', columns[0]?.position, message, 'add update to "operations"');
  }
  return {
    ...keyOf(entry),
    operations: (['insert', 'update', 'delete'] as const).filter(is),
    columns,
    payload: namesIn(value, 'payload'),
    webhook: readWebhook(nameOf(requiredFieldOf(value, 'webhook')), report),
    headers: readHeaders(entriesOf(fieldOf(value, 'headers')), report),
    retry: readRetry(fieldOf(value, 'retry'), 20, report),
    orderBy: namesIn(value, 'order_by'),
  };
}

function namesIn(value: RawNode, key: string): readonly RawName[] | undefined {
  const node = fieldOf(value, key);
  return node && itemsOf(node).map(nameOf);
}

/** How often and when deliveries are tried again, with defaults for what is not written. */
export function readRetry(node: RawNode | undefined, defaultLimit: number, report: Report): Retry {
  const number = (key: string, fallback: number) => {
    const value = node && fieldOf(node, key);
    return value?.kind === 'scalar' ? Number(value.value) : fallback;
  };
  const interval = number('interval', 10);
  const maxInterval = number('max_interval', Math.max(3600, interval));
  if (maxInterval < interval) {
    const message = `"max_interval" (${maxInterval}) is less than "interval" (${interval})`;
    report.error('RG_EVENT', node?.position, message, 'make it at least that');
  }
  return {
    limit: number('limit', defaultLimit),
    interval,
    maxInterval,
    timeout: number('timeout', 60),
  };
}
