import { findEvent } from '../../events/outbox/outbox-queries.ts';
import { pauseTrigger, resumeTrigger } from '../../events/outbox/pause.ts';
import { redeliverEvent, redeliverEvents } from '../../events/outbox/redeliver.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { type AdminScope, adminEndpoint } from '../admin-endpoint.ts';
import {
  eventAnswer,
  eventBody,
  pauseAnswer,
  redeliverBody,
  redeliveredAnswer,
  triggerBody,
} from './event-bodies.ts';
import {
  changeAnswers,
  changed,
  missingAnswer,
  notFound,
  refuseUnprepared,
  withTimes,
} from './work-errors.ts';

/** Makes the endpoints that show the data of events, and change their delivery. */
export function makeEventEndpoints(scope: AdminScope): readonly Endpoint[] {
  const makers = [showEndpoint, redeliverEndpoint, redeliverManyEndpoint];
  return [...makers, pauseEndpoint, resumeEndpoint].map((make) => make(scope));
}

function showEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/events/show',
      operationId: 'showEvent',
      summary: 'show an event with its data and every try to deliver it',
      body: eventBody,
      answer: eventAnswer,
      answers: missingAnswer,
      subject: ({ id }) => ({ subject: id }),
      work: async ({ id }, { client }) => {
        await refuseUnprepared(client);
        const event = await findEvent(client, id);
        if (!event) throw noSuchEvent(id);
        return JSON.stringify(event);
      },
    },
    scope,
  );
}

function redeliverEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/events/redeliver',
      operationId: 'redeliverEvent',
      summary: 'deliver a delivered or dead event again, under the same id',
      body: eventBody,
      answer: redeliveredAnswer,
      answers: changeAnswers,
      changes: true,
      subject: ({ id }) => ({ subject: id }),
      work: async ({ id }, { client }) => {
        await refuseUnprepared(client);
        const outcome = await redeliverEvent(client, id);
        if (outcome === undefined) throw noSuchEvent(id);
        if (outcome === 'not over') throw changed('the event is being delivered already');
        return JSON.stringify({ count: 1 });
      },
    },
    scope,
  );
}

function redeliverManyEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/events/redeliver-many',
      operationId: 'redeliverEvents',
      summary: 'deliver all delivered or all dead events of a filter again',
      body: redeliverBody,
      answer: redeliveredAnswer,
      answers: changeAnswers,
      changes: true,
      subject: ({ trigger, state, since, until, status }) => ({
        subject: [trigger ?? 'all triggers', state, since, until, status]
          .filter((part) => part !== undefined)
          .join(' '),
      }),
      work: async ({ count: agreed, ...filter }, { client }) => {
        await refuseUnprepared(client);
        const count = await redeliverEvents(client, withTimes(filter), (found) => {
          if (found > agreed) {
            throw changed(`there are ${found} such events by now, not ${agreed}; look again`);
          }
        });
        return JSON.stringify({ count });
      },
    },
    scope,
  );
}

function pauseEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/events/pause',
      operationId: 'pauseEventTrigger',
      summary: 'stop the deliveries of an event trigger; its events wait until it is resumed',
      body: triggerBody,
      answer: pauseAnswer,
      answers: changeAnswers,
      changes: true,
      subject: ({ trigger }) => ({ subject: trigger }),
      work: async ({ trigger }, { client }, { actor }) => {
        await refuseUnprepared(client);
        if (!scope.model().events.has(trigger)) {
          throw notFound(`the metadata has no event trigger "${trigger}"`);
        }
        const isNew = await pauseTrigger(client, trigger, actor);
        if (!isNew) throw changed(`${trigger} is paused already`);
        return JSON.stringify({ isPaused: true });
      },
    },
    scope,
  );
}

function resumeEndpoint(scope: AdminScope): Endpoint {
  return adminEndpoint(
    {
      path: '/admin/events/resume',
      operationId: 'resumeEventTrigger',
      summary: 'deliver the events of a paused event trigger',
      body: triggerBody,
      answer: pauseAnswer,
      answers: changeAnswers,
      changes: true,
      subject: ({ trigger }) => ({ subject: trigger }),
      work: async ({ trigger }, { client }) => {
        await refuseUnprepared(client);
        const wasPaused = await resumeTrigger(client, trigger);
        if (!wasPaused) throw changed(`${trigger} is not paused`);
        return JSON.stringify({ isPaused: false });
      },
    },
    scope,
  );
}

function noSuchEvent(id: string) {
  return notFound(
    `there is no event ${id}; finished events are kept for ROWGATE_EVENT_RETENTION_DAYS`,
  );
}
