import { type TSchema, Type } from 'typebox';
import { endedStates, eventStates } from '../../events/outbox/event-filter.ts';
import { body, name } from '../bodies.ts';

const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

export const id = (description: string) => Type.String({ pattern: uuid, description });

const time = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?Z$',
    description: `${description}, in ISO 8601 and UTC`,
  });

/** Which events, apart from their state. */
const filter = {
  trigger: Type.Optional(name('An event trigger')),
  since: Type.Optional(time('Only changes from this time on')),
  until: Type.Optional(time('Only changes before this time')),
  status: Type.Optional(
    Type.String({
      pattern: '^([1-5]\\d\\d|none)$',
      description: 'The HTTP status of the last answer; none: the last try had no answer',
    }),
  ),
};

const query = {
  ...filter,
  state: Type.Optional(
    Type.Enum(eventStates, {
      description: 'failed: will be tried again; dead: given up; absent: all',
    }),
  ),
};

export const countQuery = body('EventFilter', query);

export const eventsQuery = body('EventPage', {
  ...query,
  before: Type.Optional(id('The event after which the page begins; absent: the newest events')),
});

export const ratesQuery = body('EventRatesQuestion', {
  trigger: filter.trigger,
  hours: Type.Enum(['1', '24', '168'], { description: 'How far back' }),
});

export const eventBody = body('EventToShow', { id: id('The event') });
export const triggerBody = body('EventTriggerToChange', { trigger: name('An event trigger') });
export const redeliverBody = body('EventsToRedeliver', {
  ...filter,
  state: Type.Enum(endedStates, { description: 'Other events are delivered anyway' }),
  count: Type.Integer({
    minimum: 0,
    description: 'The number that was counted before; if there are more, nothing is done',
  }),
});

const orNull = <Schema extends TSchema>(type: Schema) => Type.Union([type, Type.Null()]);

const listed = {
  id: Type.String(),
  createdAt: Type.String({ description: 'The time of the change, in ISO 8601' }),
  trigger: Type.String(),
  table: Type.String(),
  op: Type.String(),
  state: Type.Enum(eventStates),
  tries: Type.Integer(),
  reason: orNull(Type.String({ description: 'Why it was given up' })),
};

export const eventsAnswer = Type.Object(
  {
    events: Type.Array(
      Type.Object({
        ...listed,
        status: orNull(Type.Integer({ description: 'The HTTP status of the last answer' })),
      }),
      { description: 'The newest first' },
    ),
    next: Type.Optional(Type.String({ description: 'The value of `before` for the next page' })),
  },
  { title: 'Events' },
);

export const countAnswer = Type.Object(
  {
    count: Type.Integer(),
    isAll: Type.Boolean({ description: 'Whether there are no more than the count' }),
  },
  { title: 'EventCount' },
);

export const triggersAnswer = Type.Object(
  {
    triggers: Type.Array(
      Type.Object({
        name: Type.String(),
        table: orNull(Type.String({ description: 'Null for a trigger without metadata' })),
        pending: Type.Integer(),
        failed: Type.Integer(),
        dead: Type.Integer(),
        oldestSeconds: orNull(Type.Number({ description: 'Age of the oldest unfinished event' })),
        pausedAt: orNull(Type.String()),
        pausedBy: orNull(Type.String()),
      }),
    ),
    most: Type.Integer({
      description: 'The counters cover this many of the oldest unfinished and newest dead events',
    }),
  },
  { title: 'EventTriggers' },
);

const numbers = (description: string) => Type.Array(Type.Number(), { description });

export const ratesAnswer = Type.Object(
  {
    since: Type.Integer({ description: 'The beginning, in milliseconds since 1970' }),
    stepSeconds: Type.Integer(),
    recorded: numbers('Events by step'),
    delivered: numbers('Events that receivers accepted, by step'),
    dead: numbers('Events that were given up, by step'),
    oldestSeconds: numbers('Age of the oldest waiting event at the end of each step'),
  },
  { title: 'EventRates' },
);

export const eventAnswer = Type.Object(
  {
    ...listed,
    orderKey: orNull(Type.String()),
    sessionVariables: Type.Unknown(),
    data: Type.String({ description: 'The row before and after the change, as JSON' }),
    deliveredAt: orNull(Type.String()),
    deadAt: orNull(Type.String()),
    attempts: Type.Array(
      Type.Object({
        number: Type.Integer(),
        at: Type.String(),
        status: orNull(Type.Integer()),
        durationMs: Type.Integer(),
        excerpt: orNull(Type.String({ description: 'The beginning of the answer' })),
        error: orNull(Type.String({ description: 'Why there was no whole answer' })),
      }),
    ),
  },
  { title: 'Event' },
);

export const redeliveredAnswer = Type.Object(
  { count: Type.Integer({ description: 'How many events are delivered again' }) },
  { title: 'RedeliveredEvents' },
);
export const pauseAnswer = Type.Object(
  { isPaused: Type.Boolean() },
  { title: 'EventTriggerPause' },
);
