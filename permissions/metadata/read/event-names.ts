import type { Report } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import type { RawName } from '../yaml/node.ts';

/** Names of event triggers, schedules and jobs: they stand in queues, metrics and addresses. */
const pattern = /^[a-z][a-z0-9_]{0,62}$/;

/** Whether `name` can be that of an event trigger or schedule; if not, that is reported. */
export function isEventName(
  { name, position }: RawName,
  what: string,
  code: 'RG_EVENT' | 'RG_SCHEDULE',
  report: Report,
): boolean {
  if (pattern.test(name)) return true;
  const message = `${quote(name)} cannot be the name of ${what}`;
  report.error(code, position, message, 'use a-z, 0-9 and _, a letter first, 63 at most');
  return false;
}
