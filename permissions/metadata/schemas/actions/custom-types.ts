import { type Static, type TSchemaOptions, Type } from 'typebox';
import {
  choice,
  decoded,
  list,
  map,
  named,
  object,
  optional,
  placed,
  type Shape,
} from '../../shape/shape.ts';
import { name, text } from '../primitives.ts';
import { fieldMapping, relationshipKind, tableName } from '../tables/table-reference.ts';

export const description = optional(text('The description in GraphQL.'));

/** The text of a GraphQL type. It is parsed later, when all types are known. */
export const typeReference = placed(
  Type.String({
    title: 'a type, e.g. uuid!, [Refund!]! or String',
    description:
      'A type of custom_types, or a scalar of GraphQL or Postgres, with ! and [] as in GraphQL.',
    minLength: 1,
    maxLength: 300,
  }),
);

const typed = choice(
  [
    decoded(typeReference, (type) => ({ type, description: undefined })),
    object({ type: typeReference, description }, { title: 'a map with type' }),
  ],
  { title: 'a type, or a map with type and description' },
);

/** Fields of a type, or arguments of an action. */
export const typedNames = (options: TSchemaOptions) => named(typed, options);

const fields = typedNames({ title: 'a map of names to types', minProperties: 1 });

const relationship = decoded(
  object(
    { table: tableName, field_mapping: fieldMapping, kind: relationshipKind, description },
    { title: 'a map with table and field_mapping' },
  ),
  ({ fieldMapping: mapping, ...raw }) => ({ ...raw, mapping }),
);

const objectType = object(
  {
    description,
    fields,
    relationships: optional(named(relationship, { title: 'a map of names to relationships' }), []),
  },
  { title: 'a map with fields' },
);

const inputType = object({ description, fields }, { title: 'a map with fields' });

const values = choice(
  [
    decoded(
      list(name('a value'), { minItems: 1, uniqueItems: true, title: 'a list of values' }),
      (names) => names.map((value) => ({ ...value, description: undefined })),
    ),
    decoded(
      map(Type.Union([Type.String(), Type.Null()], { title: 'text' }), {
        title: 'a map of values to descriptions',
        minProperties: 1,
      }),
      (entries) => entries.map(({ key, value }) => ({ ...key, description: value ?? undefined })),
    ),
  ],
  { title: 'a list of values, or a map of values to descriptions' },
);

const enumType = object({ description, values }, { title: 'a map with values' });

const scalarType = object({ description }, { title: 'a map with description, or {}' });

const typesOf = <T extends object>(type: Shape<T>, title: string) =>
  optional(named(type, { title }), []);

export const customTypes = decoded(
  object(
    {
      objects: typesOf(objectType, 'a map of names to object types'),
      input_objects: typesOf(inputType, 'a map of names to input types'),
      enums: typesOf(enumType, 'a map of names to enums'),
      scalars: typesOf(scalarType, 'a map of names to scalars'),
    },
    { title: 'a map with objects, input_objects, enums and scalars' },
  ),
  ({ objects, inputObjects, enums, scalars }) => [
    ...objects.map((type) => ({ kind: 'object' as const, ...type })),
    ...inputObjects.map((type) => ({ kind: 'input' as const, ...type })),
    ...enums.map((type) => ({ kind: 'enum' as const, ...type })),
    ...scalars.map((type) => ({ kind: 'scalar' as const, ...type })),
  ],
);

export type RawCustomType = Static<typeof customTypes>[number];
export type RawTypedName = Static<typeof fields>[number];
export type RawObjectType = Extract<RawCustomType, { kind: 'object' }>;
export type RawEnumType = Extract<RawCustomType, { kind: 'enum' }>;
export type RawTypeRelationship = RawObjectType['relationships'][number];
