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
      'Whose operations are counted together; session, where it is not written, means all variables of a request.',
  },
);

const rate = object(
  {
    requests: whole(1, 1_000_000, 'How many operations.'),
    seconds: whole(1, 86_400, 'In how many seconds.'),
    by: optional(countedBy, 'session'),
  },
  { title: 'a map with requests and seconds' },
);

const limits = object(
  {
    rate: optional(rate),
    depth: optional(whole(1, 1000, 'Deepest nesting of fields.')),
    nodes: optional(whole(1, 20_000, 'Most fields of one operation.')),
    crossings: optional(
      whole(
        1,
        10_000,
        'How often conditions and orderings of one operation may follow relationships, aggregates and computed fields.',
      ),
    ),
    seconds: optional(whole(1, 3600, "Postgres's time for one statement.")),
    weight: optional(
      whole(
        1,
        100,
        'How much the role may hold of connections and memory beside other roles; 1 where it is not written.',
      ),
    ),
  },
  {
    title: 'a map with rate, depth, nodes, crossings, seconds and weight',
    description:
      'What operations of the role may cost; the smaller of this and the setting counts.',
  },
);

const role = object(
  {
    group: optional(text(), ''),
    purpose: optional(text('What the role is for.'), ''),
    requires: optional(
      list(name('the name of a session variable'), {
        title: 'a list of session variables',
        description: 'What every request in this role must carry.',
      }),
      [],
    ),
    inherits: optional(
      list(name('the name of a role'), {
        title: 'a list of roles',
        description: 'Whose rules the role has where it has none of its own.',
        minItems: 1,
      }),
      [],
    ),
    limits: optional(limits),
    introspection: optional(
      trueOrFalse('Whether the role may ask what it may ask; true where it is not written.'),
      true,
    ),
  },
  { title: 'a map with group, purpose and requires' },
);

/** roles.yaml. Session variables are written as headers, e.g. `X-Gql-Organization-Id`. */
export const rolesFile = object(
  { roles: named(role, { title: 'a map of role names to roles' }) },
  { title: 'a map with roles' },
);

export type RawRole = Static<typeof rolesFile>['roles'][number];
export type RawLimits = Static<typeof limits>;
export type RawRate = Static<typeof rate>;
