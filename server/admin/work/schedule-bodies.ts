import { Type } from 'typebox';
import { body, name } from '../bodies.ts';

const run = Type.String({ pattern: '^[1-9]\\d{0,17}$', description: 'The id of a run' });

export const historyBody = body('RunsToShow', {
  name: name('A schedule'),
  before: Type.Optional(run),
});

export const runBody = body('ScheduleToRun', {
  name: name('A schedule'),
  after: Type.Optional(
    Type.String({
      ...run,
      description: 'The last run that was shown; if another one has begun since, nothing is done',
    }),
  ),
});

const text = Type.Union([Type.String(), Type.Null()]);

const listed = {
  id: Type.String(),
  scheduledFor: Type.Union([Type.String(), Type.Null()], {
    description: 'The time at which it was due; null for a run on request',
  }),
  startedAt: Type.String(),
  finishedAt: text,
  outcome: Type.Enum(['running', 'ok', 'failed']),
};

export const schedulesAnswer = Type.Object(
  {
    schedules: Type.Array(
      Type.Object({
        name: Type.String(),
        cron: Type.String(),
        timezone: Type.String(),
        does: Type.String({ description: 'The job or the webhook' }),
        next: Type.String(),
        last: Type.Union([Type.Object(listed), Type.Null()]),
      }),
    ),
  },
  { title: 'Schedules' },
);

export const runsAnswer = Type.Object(
  {
    runs: Type.Array(
      Type.Object({
        ...listed,
        detail: Type.Unknown({ description: 'Numbers of the work done, or the problem' }),
        instance: Type.String({ description: 'The process' }),
      }),
    ),
    next: Type.Optional(Type.String({ description: 'The value of `before` for the next page' })),
  },
  { title: 'ScheduleRuns' },
);

export const requestedAnswer = Type.Object(
  { isRequested: Type.Boolean() },
  { title: 'RequestedRun' },
);
