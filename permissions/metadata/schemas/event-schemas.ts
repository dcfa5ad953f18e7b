import { Type } from 'typebox';
import { namePattern } from '../../text/characters.ts';

const closed = { additionalProperties: false };

const columns = (title: string, description: string) =>
  Type.Array(Type.String({ title: 'the name of a column', minLength: 1, pattern: namePattern }), {
    title,
    description,
    minItems: 1,
    uniqueItems: true,
  });

export const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({
    title: `a whole number from ${minimum} to ${maximum}`,
    description,
    minimum,
    maximum,
  });

const pace = {
  limit: Type.Optional(whole(0, 1000, 'How often a failed delivery is tried again.')),
  interval: Type.Optional(
    whole(1, 86400, 'Seconds before the first retry; each further one waits longer.'),
  ),
  max_interval: Type.Optional(whole(1, 604800, 'The most seconds between two tries.')),
};

const retry = Type.Object(
  {
    ...pace,
    timeout: Type.Optional(whole(1, 600, 'Seconds that the webhook has to answer.')),
  },
  { ...closed, title: 'a map with limit, interval, max_interval and timeout' },
);

/** `retry:` of what has its timeout beside it. */
export const retryPace = Type.Object(pace, {
  ...closed,
  title: 'a map with limit, interval and max_interval',
});

export const webhook = Type.String({
  title: 'a path of this platform or an http(s) URL',
  description:
    'Where it is sent: /path of this platform, or a URL; {{NAME}} is of the environment.',
  minLength: 1,
  maxLength: 2000,
});

export const headers = Type.Record(Type.String(), Type.String({ title: 'text', maxLength: 4000 }), {
  title: 'a map of headers to values',
  description: 'Sent along; {{NAME}} is of the environment.',
});

const trigger = Type.Object(
  {
    operations: Type.Array(
      Type.Enum(['insert', 'update', 'delete'], { title: 'insert, update or delete' }),
      {
        title: 'a list of insert, update and delete',
        description: 'What the trigger fires for.',
        minItems: 1,
        uniqueItems: true,
      },
    ),
    webhook,
    columns: Type.Optional(
      columns(
        'a list of columns',
        'An update fires only where one of them changes; any change where this is left out.',
      ),
    ),
    payload: Type.Optional(
      columns('a list of columns', 'The columns that are sent; all where this is left out.'),
    ),
    headers: Type.Optional(headers),
    retry: Type.Optional(retry),
    order_by: Type.Optional(
      columns(
        'a list of columns',
        'Events of rows that are equal in these are delivered one after the other.',
      ),
    ),
  },
  { ...closed, title: 'a map with operations and webhook' },
);

/** `events:` of a table file. */
export const events = Type.Record(Type.String(), trigger, {
  title: 'a map of names to event triggers',
});

const schedule = Type.Object(
  {
    schedule: Type.String({
      title: 'a cron expression of five fields',
      description: 'Minute, hour, day of the month, month, day of the week.',
    }),
    timezone: Type.Optional(
      Type.String({ title: 'the name of a time zone', description: 'e.g. Europe/Berlin.' }),
    ),
    webhook: Type.Optional(webhook),
    payload: Type.Optional(Type.Unknown({ description: 'What the webhook gets along.' })),
    job: Type.Optional(
      Type.String({ title: 'the name of a job', description: 'One of the platform’s own.' }),
    ),
    retry: Type.Optional(retry),
  },
  { ...closed, title: 'a map with schedule, and webhook or job' },
);

/** cron.yaml. */
export const cronFileSchema = Type.Record(Type.String(), schedule, {
  title: 'a map of names to schedules',
});
