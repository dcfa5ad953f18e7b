import { readEventRates } from '../../events/outbox/event-rates.ts';
import { countEvents, listEvents } from '../../events/outbox/outbox-queries.ts';
import { readPaused } from '../../events/outbox/pause.ts';
import { readTriggerStates } from '../../events/outbox/trigger-states.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import type { AdminScope } from '../admin-endpoint.ts';
import { adminReading } from '../admin-reading.ts';
import {
  countAnswer,
  countQuery,
  eventsAnswer,
  eventsQuery,
  ratesAnswer,
  ratesQuery,
  triggersAnswer,
} from './event-bodies.ts';
import { refuseUnprepared, withTimes } from './work-errors.ts';

const pageSize = 50;
/** Counting more events would take too long for a page that asks often. */
const maxCounted = 100_000;
const maxInCounters = 5000;
/** Steps of the charts: minutes of an hour, half hours of a day, and three hours of a week. */
const steps = { 1: 60, 24: 48, 168: 56 } as const;

/** Makes the endpoints that list and count events. They show no values of rows. */
export function makeEventReadings(scope: AdminScope): readonly Endpoint[] {
  return [triggersEndpoint, eventsEndpoint, countEndpoint, ratesEndpoint].map((make) =>
    make(scope),
  );
}

function triggersEndpoint(scope: AdminScope): Endpoint {
  return adminReading(
    {
      path: '/admin/events/triggers',
      operationId: 'getEventTriggers',
      summary: 'list the event triggers, and count their unfinished and dead events',
      answer: triggersAnswer,
      work: async (_query, readings) =>
        readings.run(async (client) => {
          await refuseUnprepared(client);
          const states = new Map(
            (await readTriggerStates(client, maxInCounters)).map((one) => [one.trigger, one]),
          );
          const paused = new Map((await readPaused(client)).map((one) => [one.trigger, one]));
          const { events } = scope.model();
          const names = new Set([...events.keys(), ...states.keys(), ...paused.keys()]);
          const triggers = [...names].sort().map((name) => {
            const table = events.get(name)?.table;
            const state = states.get(name);
            return {
              name,
              table: table ? `${table.schema}.${table.name}` : null,
              ...{ pending: state?.pending ?? 0, failed: state?.failed ?? 0 },
              ...{ dead: state?.dead ?? 0, oldestSeconds: state?.oldestSeconds ?? null },
              pausedAt: paused.get(name)?.pausedAt ?? null,
              pausedBy: paused.get(name)?.actor ?? null,
            };
          });
          return JSON.stringify({ triggers, most: maxInCounters });
        }),
    },
    scope,
  );
}

function eventsEndpoint(scope: AdminScope): Endpoint {
  return adminReading(
    {
      path: '/admin/events',
      operationId: 'getEvents',
      summary: 'list events without their data, the newest first, 50 at a time',
      query: eventsQuery,
      answer: eventsAnswer,
      work: async ({ before, ...filter }, readings) =>
        readings.run(async (client) => {
          await refuseUnprepared(client);
          // One more than a page has, to know whether another page follows.
          const found = await listEvents(client, withTimes(filter), {
            limit: pageSize + 1,
            before,
          });
          const events = found.slice(0, pageSize);
          return JSON.stringify({
            events,
            next: found.length > pageSize ? events.at(-1)?.id : undefined,
          });
        }),
    },
    scope,
  );
}

function countEndpoint(scope: AdminScope): Endpoint {
  return adminReading(
    {
      path: '/admin/events/count',
      operationId: 'countEvents',
      summary: 'count events',
      query: countQuery,
      answer: countAnswer,
      work: async (filter, readings) =>
        readings.run(async (client) => {
          await refuseUnprepared(client);
          const count = await countEvents(client, withTimes(filter), maxCounted + 1);
          return JSON.stringify({
            count: Math.min(count, maxCounted),
            isAll: count <= maxCounted,
          });
        }),
    },
    scope,
  );
}

function ratesEndpoint(scope: AdminScope): Endpoint {
  return adminReading(
    {
      path: '/admin/events/rates',
      operationId: 'getEventRates',
      summary: 'count recorded, delivered and dead events by time, and show how long events waited',
      query: ratesQuery,
      answer: ratesAnswer,
      work: async ({ trigger, hours }, readings) => {
        const range = rangeOf(Number(hours) as keyof typeof steps);
        const rates = await readings.run(async (client) => {
          await refuseUnprepared(client);
          return readEventRates(client, { trigger, ...range });
        });
        const { since, stepSeconds } = range;
        return JSON.stringify({ since, stepSeconds, ...rates });
      },
    },
    scope,
  );
}

/** Returns a range that ends with the running step. */
function rangeOf(hours: keyof typeof steps) {
  const count = steps[hours];
  const stepSeconds = (hours * 3600) / count;
  const stepMs = stepSeconds * 1000;
  const since = (Math.floor(Date.now() / stepMs) + 1 - count) * stepMs;
  return { since, stepSeconds, steps: count };
}
