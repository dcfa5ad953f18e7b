import { type Static, Type } from 'typebox';
import type { Report } from '../../../diagnostics.ts';
import { quote } from '../../../text/characters.ts';
import { decoded, list, named, object, optional } from '../../shape/shape.ts';
import type { RawName } from '../../yaml/node.ts';
import { name } from '../primitives.ts';
import { retry } from './retry.ts';
import { headers, webhook } from './webhook.ts';

const defaultRetries = 20;

const operations = ['insert', 'update', 'delete'] as const;

const columns = (description: string) =>
  optional(
    list(name('the name of a column'), {
      title: 'a list of columns',
      description,
      minItems: 1,
      uniqueItems: true,
    }),
  );

const trigger = decoded(
  object(
    {
      operations: list(Type.Enum([...operations], { title: 'insert, update or delete' }), {
        title: 'a list of insert, update and delete',
        description: 'The operations that fire the trigger.',
        minItems: 1,
        uniqueItems: true,
      }),
      webhook,
      columns: columns(
        'An update fires only if it changes one of these columns; default: any change fires.',
      ),
      payload: columns('The columns in the payload; default all.'),
      headers: optional(headers, []),
      retry: retry(defaultRetries),
      order_by: columns(
        'Events of rows with equal values in these columns are delivered one after the other.',
      ),
    },
    { title: 'a map with operations and webhook' },
  ),
  (raw, { key, report }) => {
    isEventName(key, 'an event trigger', 'RG_EVENT', report);
    if (raw.columns && !raw.operations.includes('update')) {
      const message = '"columns" says which changes matter, and no update fires this trigger';
      const hint = 'add update to "operations"';
      report.error('RG_EVENT', raw.columns[0]?.position, message, hint);
    }
    return { ...raw, operations: operations.filter((one) => raw.operations.includes(one)) };
  },
);

export const events = named(trigger, { title: 'a map of names to event triggers' });

export type RawEventTrigger = Static<typeof events>[number];

/**
 * Names of event triggers, schedules and jobs. The pattern is strict, because the names also occur in queues, metrics
 * and addresses.
 */
const eventName = /^[a-z][a-z0-9_]{0,62}$/;

/** Returns whether an event trigger, a schedule or a job can have this name. Reports an invalid name. */
export function isEventName(
  { name, position }: RawName,
  what: string,
  code: 'RG_EVENT' | 'RG_SCHEDULE',
  report: Report,
): boolean {
  if (eventName.test(name)) return true;
  const message = `${quote(name)} cannot be the name of ${what}`;
  report.error(code, position, message, 'use a-z, 0-9 and _, a letter first, 63 at most');
  return false;
}
