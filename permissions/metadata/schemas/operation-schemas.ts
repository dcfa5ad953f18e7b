import { Type } from 'typebox';
import { namePattern } from '../../text/characters.ts';

const closed = { additionalProperties: false };

const count = (title: string, maximum: number, description: string) =>
  Type.Integer({ title, minimum: 1, maximum, description });

const rate = Type.Object(
  {
    requests: count('a whole number from 1 to 1000000', 1_000_000, 'How many operations.'),
    seconds: count('a whole number from 1 to 86400', 86_400, 'In how many seconds.'),
    by: Type.Optional(
      Type.Union(
        [
          Type.Enum(['session', 'address', 'role'], { title: 'session, address or role' }),
          Type.Array(
            Type.String({ title: 'the name of a session variable', pattern: namePattern }),
            { title: 'a list of session variables', minItems: 1 },
          ),
        ],
        {
          title: 'session, address, role, or a list of session variables',
          description:
            'Whose operations are counted together; session, where it is not written, means all variables of a request.',
        },
      ),
    ),
  },
  { ...closed, title: 'a map with requests and seconds' },
);

/** `limits` of a role. */
export const limits = Type.Object(
  {
    rate: Type.Optional(rate),
    depth: Type.Optional(
      count('a whole number from 1 to 1000', 1000, 'Deepest nesting of fields.'),
    ),
    nodes: Type.Optional(
      count('a whole number from 1 to 20000', 20_000, 'Most fields of one operation.'),
    ),
    crossings: Type.Optional(
      count(
        'a whole number from 1 to 10000',
        10_000,
        'How often conditions and orderings of one operation may follow relationships, aggregates and computed fields.',
      ),
    ),
    seconds: Type.Optional(
      count('a whole number from 1 to 3600', 3600, "Postgres's time for one statement."),
    ),
    weight: Type.Optional(
      count(
        'a whole number from 1 to 100',
        100,
        'How much the role may hold of connections and memory beside other roles; 1 where it is not written.',
      ),
    ),
  },
  {
    ...closed,
    title: 'a map with rate, depth, nodes, crossings, seconds and weight',
    description:
      'What operations of the role may cost; the smaller of this and the setting counts.',
  },
);

/** `introspection` of a role. */
export const introspection = Type.Boolean({
  title: 'true or false',
  description: 'Whether the role may ask what it may ask; true where it is not written.',
});

const operation = Type.Object(
  {
    name: Type.String({ title: 'the name of an operation', minLength: 1, pattern: namePattern }),
    query: Type.String({ title: 'a GraphQL document', minLength: 1 }),
  },
  { ...closed, title: 'a map with name and query' },
);

const collection = Type.Object(
  {
    operations: Type.Optional(
      Type.Array(operation, { title: 'a list of operations, each with name and query' }),
    ),
    files: Type.Optional(
      Type.Array(
        Type.String({
          title: 'a path in the metadata folder, as ops/*.graphql',
          minLength: 1,
          pattern: namePattern,
        }),
        {
          title: 'a list of paths in the metadata folder',
          description: 'Files of one document each, named by the file; * stands for any name.',
        },
      ),
    ),
  },
  { ...closed, title: 'a map with operations or files' },
);

const allowed = Type.Object(
  {
    collection: Type.String({ title: 'the name of a collection', pattern: namePattern }),
    roles: Type.Optional(
      Type.Array(Type.String({ title: 'the name of a role', pattern: namePattern }), {
        title: 'a list of roles',
        description: 'Who may run these operations; everybody where it is not written.',
        minItems: 1,
      }),
    ),
  },
  { ...closed, title: 'a map with collection, and roles where it is not for everybody' },
);

/** allow_list.yaml. */
export const allowListFileSchema = Type.Object(
  {
    collections: Type.Record(Type.String(), collection, {
      title: 'a map of names to collections of operations',
    }),
    allow: Type.Optional(
      Type.Array(allowed, { title: 'a list of collections, each with the roles that it is for' }),
    ),
  },
  { ...closed, title: 'a map with collections and allow' },
);
