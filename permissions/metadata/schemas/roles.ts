import { type Static, Type } from 'typebox';
import { choice, list, named, object, optional } from '../shape/shape.ts';
import { name, text, trueOrFalse, whole } from './primitives.ts';

const countedBy = choice(
  [
    Type.Enum(['session', 'address', 'role'], { title: 'session, address or role' }),
    list(name('the name of a session variable'), {
      title: 'a list of session variables',
      minItems: 1,
    }),
  ],
  {
    title: 'session, address, role, or a list of session variables',
    description:
      'Operations with equal values of this are counted together. Default: session, i.e. all variables of a request.',
  },
);

const rate = object(
  {
    requests: whole(1, 1_000_000, 'Maximum operations in a window.'),
    seconds: whole(1, 86_400, 'Length of the window in seconds.'),
    by: optional(countedBy, 'session'),
  },
  { title: 'a map with requests and seconds' },
);

const limits = object(
  {
    rate: optional(rate),
    depth: optional(whole(1, 1000, 'Maximum nesting of fields.')),
    nodes: optional(
      whole(1, 20_000, 'Maximum fields of one operation; a fragment counts wherever it is spread.'),
    ),
    crossings: optional(
      whole(
        1,
        10_000,
        'How often the conditions and orderings of one operation may follow relationships, aggregates and computed fields.',
      ),
    ),
    seconds: optional(whole(1, 3600, 'Seconds that Postgres may spend on one statement.')),
    weight: optional(
      whole(
        1,
        100,
        'The share of connections and memory of the role, relative to other roles; default 1.',
      ),
    ),
  },
  {
    title: 'a map with rate, depth, nodes, crossings, seconds and weight',
    description:
      'Limits on the operations of the role. If the server has a smaller limit, that one counts.',
  },
);

const role = object(
  {
    group: optional(text(), ''),
    purpose: optional(text('What the role is for.'), ''),
    requires: optional(
      list(name('the name of a session variable'), {
        title: 'a list of session variables',
        description: 'Session variables that every request in this role must carry.',
      }),
      [],
    ),
    inherits: optional(
      list(name('the name of a role'), {
        title: 'a list of roles',
        description: 'Roles whose rules apply to tables for which this role has no rules.',
        minItems: 1,
      }),
      [],
    ),
    limits: optional(limits),
    all_rows: optional(
      trueOrFalse(
        'Whether rules of the role may let every row through. check warns about others that do; default false.',
      ),
    ),
    introspection: optional(
      trueOrFalse('Whether the role may query the GraphQL schema; default true.'),
      true,
    ),
  },
  { title: 'a map with group, purpose and requires' },
);

/** The schema of roles.yaml. Session variables are written as headers, e.g. `X-Gql-Organization-Id`. */
export const rolesFile = object(
  { roles: named(role, { title: 'a map of role names to roles' }) },
  { title: 'a map with roles' },
);

export type RawRole = Static<typeof rolesFile>['roles'][number];
export type RawLimits = Static<typeof limits>;
export type RawRate = Static<typeof rate>;
