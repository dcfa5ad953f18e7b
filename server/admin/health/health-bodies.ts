import { Type } from 'typebox';

const seconds = (description: string) => Type.Optional(Type.Number({ description }));
const count = (description: string) => Type.Integer({ description });

const latency = {
  p50: seconds('Seconds within which half of them ended; absent without any'),
  p99: seconds('The same for 99 of 100'),
};

const operation = Type.Object(
  {
    role: Type.String({ description: 'Empty for requests whose caller could not be identified' }),
    kind: Type.String({
      description:
        'query, mutation, subscription, or invalid if it was refused before it was known',
    }),
    operation: Type.String({
      description: 'The name; empty without one, `other` beyond 50 names of a role',
    }),
    count: count('All that ended'),
    errors: Type.Array(Type.Object({ code: Type.String(), count: Type.Integer() })),
    meanSeconds: Type.Number(),
  },
  { title: 'OperationCount' },
);

export const driftAnswer = Type.Object(
  {
    at: Type.Integer({ description: 'The end of the check, in milliseconds since 1970' }),
    differences: Type.Array(Type.String(), { description: 'The first 100' }),
    omitted: count('Further differences'),
    replaced: Type.Array(Type.String(), {
      description: 'Views that were replaced since their rules were applied',
    }),
  },
  { title: 'DriftOfDatabase' },
);

export const healthAnswer = Type.Object(
  {
    startedAt: Type.Integer({
      description: 'The start of the process, in milliseconds since 1970',
    }),
    memoryBytes: Type.Integer({ description: 'The memory that the process occupies' }),
    cpuSeconds: Type.Number({ description: 'The processor time of the process since its start' }),
    problems: Type.Array(Type.String(), { description: 'Why the server is not ready' }),
    operations: Type.Array(operation, { description: 'Of this process, the most frequent first' }),
    omitted: count('Further operations that are not listed'),
    latencies: Type.Array(
      Type.Object({ role: Type.String(), kind: Type.String(), count: Type.Integer(), ...latency }),
      { description: 'Since the start of the process' },
    ),
    recent: Type.Array(
      Type.Object({
        at: Type.Integer(),
        count: Type.Integer(),
        errors: Type.Integer(),
        ...latency,
      }),
      { description: 'The last quarter of an hour in intervals of 5 seconds, the oldest first' },
    ),
    pools: Type.Array(
      Type.Object({
        pool: Type.String(),
        used: Type.Integer(),
        idle: Type.Integer(),
        max: Type.Integer(),
        waiting: count('Requests that wait for a connection'),
      }),
    ),
    live: Type.Object({
      queries: count('Live queries that are open'),
      streams: Type.Integer(),
      cohorts: count('Groups of live queries that share their fetches'),
      sockets: Type.Integer(),
      changed: count('Fetches with another answer'),
      unchanged: count('Fetches with the same answer'),
      failed: Type.Integer(),
      messages: Type.Integer(),
      meanSeconds: seconds('From reading a change to its messages'),
      polls: Type.Array(Type.Object({ table: Type.String(), count: Type.Integer() }), {
        description: 'Fetches without a known change, by the tables that are not live; most first',
      }),
    }),
    drift: Type.Optional(driftAnswer),
  },
  { title: 'Health' },
);

const number = Type.Integer({ minimum: 1, maximum: 999_999_999 });

export const comparisonBody = Type.Object(
  { old: number, new: number },
  { title: 'AppliesToCompare', additionalProperties: false },
);

export const comparisonAnswer = Type.Object(
  {
    changes: Type.Array(
      Type.Object({
        class: Type.Enum(['dangerous', 'review', 'breaking', 'safe']),
        sentence: Type.String(),
        details: Type.Array(Type.String()),
        inheritedBy: Type.Array(Type.String()),
      }),
      { description: 'The heaviest first' },
    ),
  },
  { title: 'ComparedApplies' },
);
