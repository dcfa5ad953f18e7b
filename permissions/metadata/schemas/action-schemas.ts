import { Type } from 'typebox';
import { namePattern } from '../../text/characters.ts';
import { named } from './call-schemas.ts';
import { headers, retryPace, webhook, whole } from './event-schemas.ts';

const closed = { additionalProperties: false };
const name = (title: string) => Type.String({ title, minLength: 1, pattern: namePattern });
const description = Type.Optional(Type.String({ title: 'text', description: 'For GraphQL.' }));

const type = Type.String({
  title: 'a type, e.g. uuid!, [Refund!]! or String',
  description:
    'A type of custom_types, a scalar of GraphQL or one of Postgres; ! and [] as in GraphQL.',
  minLength: 1,
  maxLength: 300,
});

const typed = Type.Union(
  [type, Type.Object({ type, description }, { ...closed, title: 'a map with type' })],
  { title: 'a type, or a map with type and description' },
);

const fields = Type.Record(Type.String(), typed, {
  title: 'a map of names to types',
  minProperties: 1,
});

const relationship = Type.Object(
  {
    table: named('table', 'invoice'),
    field_mapping: Type.Record(Type.String(), name('the name of a column'), {
      title: 'a map of fields to columns',
      description: 'Fields of the type, and the columns of the table that are equal to them.',
      minProperties: 1,
    }),
    kind: Type.Optional(
      Type.Enum(['object', 'array'], {
        title: 'object or array',
        description: 'One row, which is the default, or a list of rows.',
      }),
    ),
    description,
  },
  { ...closed, title: 'a map with table and field_mapping' },
);

const object = Type.Object(
  {
    description,
    fields,
    relationships: Type.Optional(
      Type.Record(Type.String(), relationship, { title: 'a map of names to relationships' }),
    ),
  },
  { ...closed, title: 'a map with fields' },
);

const input = Type.Object({ description, fields }, { ...closed, title: 'a map with fields' });

const enumeration = Type.Object(
  {
    description,
    values: Type.Union(
      [
        Type.Array(name('a value'), { minItems: 1, uniqueItems: true, title: 'a list of values' }),
        Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()], { title: 'text' }), {
          title: 'a map of values to descriptions',
          minProperties: 1,
        }),
      ],
      { title: 'a list of values, or a map of values to descriptions' },
    ),
  },
  { ...closed, title: 'a map with values' },
);

const scalar = Type.Object({ description }, { ...closed, title: 'a map with description, or {}' });

const typesOf = <T extends Parameters<typeof Type.Record>[1]>(one: T, title: string) =>
  Type.Optional(Type.Record(Type.String(), one, { title }));

const customTypes = Type.Object(
  {
    objects: typesOf(object, 'a map of names to object types'),
    input_objects: typesOf(input, 'a map of names to input types'),
    enums: typesOf(enumeration, 'a map of names to enums'),
    scalars: typesOf(scalar, 'a map of names to scalars'),
  },
  { ...closed, title: 'a map with objects, input_objects, enums and scalars' },
);

const action = Type.Object(
  {
    type: Type.Enum(['query', 'mutation'], {
      title: 'query or mutation',
      description: 'What it is a root field of.',
    }),
    kind: Type.Optional(
      Type.Enum(['synchronous', 'asynchronous'], {
        title: 'synchronous or asynchronous',
        description:
          'synchronous, the default: the client waits for the handler. asynchronous: the client gets an id to ask by.',
      }),
    ),
    description,
    arguments: Type.Optional(
      Type.Record(Type.String(), typed, { title: 'a map of names to types' }),
    ),
    output_type: type,
    handler: webhook,
    headers: Type.Optional(headers),
    forward_client_headers: Type.Optional(
      Type.Array(name('the name of a header'), {
        title: 'a list of headers',
        description: 'Headers of the client that the handler gets too.',
        uniqueItems: true,
      }),
    ),
    timeout: Type.Optional(whole(1, 600, 'Seconds that the handler has to answer; default 30.')),
    retry: Type.Optional(retryPace),
    permissions: Type.Optional(
      Type.Array(name('the name of a role'), {
        title: 'a list of roles',
        description: 'Who may call it, besides admin.',
        uniqueItems: true,
      }),
    ),
  },
  { ...closed, title: 'a map with type, output_type and handler' },
);

/** actions.yaml. */
export const actionsFileSchema = Type.Object(
  {
    actions: Type.Optional(
      Type.Record(Type.String(), action, { title: 'a map of names to actions' }),
    ),
    custom_types: Type.Optional(customTypes),
  },
  { ...closed, title: 'a map with actions and custom_types' },
);
