import type { Report } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { Schedule } from '../../types/events.ts';
import { cronProblem, isTimeZone } from '../cron-expression.ts';
import { toPlain } from '../yaml/locate.ts';
import type { RawEntry, RawName, RawNode } from '../yaml/node.ts';
import { entriesOf, fieldOf, keyOf, nameOf, requiredFieldOf } from '../yaml/raw-access.ts';
import { isEventName } from './event-names.ts';
import { readRetry } from './read-event.ts';
import { readWebhook } from './read-webhook.ts';

/** The schedules of a valid cron.yaml, in its order. What cannot be run is reported. */
export function readSchedules(root: RawNode, report: Report): readonly Schedule[] {
  return entriesOf(root).flatMap((entry) => readSchedule(entry, report) ?? []);
}

function readSchedule(entry: RawEntry, report: Report): Schedule | undefined {
  const { value } = entry;
  const key = keyOf(entry);
  isEventName(key, 'a schedule', 'RG_SCHEDULE', report);
  const run = readRun(key, value, report);
  const cron = nameOf(requiredFieldOf(value, 'schedule'));
  const problem = cronProblem(cron.name);
  if (problem) {
    const message = `the cron expression ${quote(cron.name)} ${problem}`;
    report.error('RG_SCHEDULE', cron.position, message, 'e.g. "0 8 * * *" for every day at eight');
  }
  return (
    run && {
      name: key.name,
      cron: cron.name.trim(),
      timezone: readTimeZone(fieldOf(value, 'timezone'), report),
      run,
      retry: readRetry(fieldOf(value, 'retry'), 3, report),
      position: key.position,
    }
  );
}

function readTimeZone(node: RawNode | undefined, report: Report): string {
  if (!node) return 'UTC';
  const { name, position } = nameOf(node);
  if (!isTimeZone(name)) {
    const near = didYouMean(name, Intl.supportedValuesOf('timeZone'));
    const message = `there is no time zone ${quote(name)}`;
    report.error('RG_SCHEDULE', position, message, near ?? 'write e.g. UTC or Europe/Berlin');
  }
  return name;
}

function readRun(key: RawName, value: RawNode, report: Report): Schedule['run'] | undefined {
  const webhook = fieldOf(value, 'webhook');
  const job = fieldOf(value, 'job');
  const payload = fieldOf(value, 'payload');
  if (Boolean(webhook) === Boolean(job)) {
    const message = `the schedule ${quote(key.name)} must have either "webhook" or "job"`;
    report.error('RG_SCHEDULE', key.position, message);
    return undefined;
  }
  if (webhook) {
    const to = readWebhook(nameOf(webhook), report);
    return { kind: 'webhook', webhook: to, payload: payload ? plain(payload) : {} };
  }
  if (payload) {
    const message = 'a job takes no payload';
    report.error('RG_SCHEDULE', payload.position, message, 'leave it out');
  }
  const named = job && nameOf(job);
  if (!named || !isEventName(named, 'a job', 'RG_SCHEDULE', report)) return undefined;
  return { kind: 'job', job: named.name };
}

/** As JSON would hold it: with prototypes. */
function plain(node: RawNode): unknown {
  return JSON.parse(JSON.stringify(toPlain(node)));
}
