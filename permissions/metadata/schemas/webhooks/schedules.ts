import { type Static, Type } from 'typebox';
import type { Report } from '../../../diagnostics.ts';
import { quote } from '../../../text/characters.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { decoded, map, node, object, optional, type Place, placed } from '../../shape/shape.ts';
import { toPlain } from '../../yaml/locate.ts';
import type { RawName, RawNode } from '../../yaml/node.ts';
import { cronProblem, isTimeZone } from './cron-expression.ts';
import { isEventName } from './event-triggers.ts';
import { retry } from './retry.ts';
import { webhook } from './webhook.ts';

const defaultRetries = 3;

const schedule = object(
  {
    schedule: decoded(
      Type.String({
        title: 'a cron expression of five fields',
        description: 'Minute, hour, day of the month, month, day of the week.',
      }),
      cronOf,
    ),
    timezone: optional(
      decoded(
        Type.String({ title: 'the name of a time zone', description: 'e.g. Europe/Berlin.' }),
        timeZoneOf,
      ),
      'UTC',
    ),
    webhook: optional(webhook),
    payload: optional(
      node(Type.Unknown({ description: 'The payload of the request to the webhook.' })),
    ),
    job: optional(
      placed(
        Type.String({
          title: 'the name of a job',
          description: 'A job of the application.',
        }),
      ),
    ),
    retry: retry(defaultRetries),
  },
  { title: 'a map with schedule, and webhook or job' },
);

/**
 * The schema of cron.yaml. Reports schedules that can never run. Decoding needs no database, because schedules name no
 * database objects.
 */
export const cronFile = decoded(
  map(
    decoded(schedule, (raw, place) => {
      const { key, report } = place;
      isEventName(key, 'a schedule', 'RG_SCHEDULE', report);
      const { schedule: cron, timezone, retry } = raw;
      const run = runOf(raw, place);
      return { name: key.name, cron, timezone, run, retry, position: key.position };
    }),
    { title: 'a map of names to schedules' },
  ),
  (entries) => entries.map(({ value }) => value),
);

/** A webhook or job that runs at set times. */
export type Schedule = Static<typeof cronFile>[number];

type ScheduleRun =
  | { readonly kind: 'webhook'; readonly webhook: string; readonly payload: unknown }
  | { readonly kind: 'job'; readonly job: string };

function cronOf(text: string, { node, report }: Place): string {
  const problem = cronProblem(text);
  if (problem) {
    const message = `the cron expression ${quote(text)} ${problem}`;
    report.error('RG_SCHEDULE', node.position, message, 'e.g. "0 8 * * *" for every day at eight');
  }
  return text.trim();
}

function timeZoneOf(text: string, { node, report }: Place): string {
  if (!isTimeZone(text)) {
    const near = didYouMean(text, Intl.supportedValuesOf('timeZone'));
    const message = `there is no time zone ${quote(text)}`;
    report.error('RG_SCHEDULE', node.position, message, near ?? 'write e.g. UTC or Europe/Berlin');
  }
  return text;
}

function runOf(
  { webhook, job, payload }: Static<typeof schedule>,
  { key, report }: Place,
): ScheduleRun {
  if ((webhook === undefined) === (job === undefined)) {
    const message = `the schedule ${quote(key.name)} must have either "webhook" or "job"`;
    report.error('RG_SCHEDULE', key.position, message);
  } else if (job) {
    checkJob(job, payload, report);
  }
  if (webhook === undefined) return { kind: 'job', job: job?.name ?? '' };
  return { kind: 'webhook', webhook, payload: payload ? plain(payload) : {} };
}

function checkJob(job: RawName, payload: RawNode | undefined, report: Report): void {
  isEventName(job, 'a job', 'RG_SCHEDULE', report);
  if (payload) {
    const message = 'a job takes no payload';
    report.error('RG_SCHEDULE', payload.position, message, 'leave it out');
  }
}

/** Returns the node as JSON.parse would return it. Unlike toPlain, its objects have a prototype. */
function plain(node: RawNode): unknown {
  return JSON.parse(JSON.stringify(toPlain(node)));
}
