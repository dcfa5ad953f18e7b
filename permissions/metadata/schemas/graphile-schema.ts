import { Type } from 'typebox';
import { openFields, typeRelationships } from './extension-schemas.ts';

const closed = { additionalProperties: false };

const count = (maximum: number, description: string) =>
  Type.Optional(
    Type.Integer({
      title: `a whole number from 1 to ${maximum}`,
      description,
      minimum: 1,
      maximum,
    }),
  );

const limits = Type.Object(
  {
    tokens: count(100_000, 'Most words and signs of a document; 5000 where it is not written.'),
    fields: count(5000, 'Most fields of an operation; 300 where it is not written.'),
    depth: count(
      100,
      'Deepest nesting of fields, without the wrappers of connections; 12 where it is not written.',
    ),
    nodes: count(
      10_000_000,
      'Most rows that all lists of an operation could have together; 200000 where it is not written.',
    ),
    default_rows: count(
      100_000,
      'Rows of a list without "first" and "last"; 200 where it is not written.',
    ),
    max_rows: count(100_000, 'Most that "first" and "last" may ask for; 1000 where not written.'),
  },
  {
    ...closed,
    title: 'a map with tokens, fields, depth, nodes, default_rows and max_rows',
  },
);

/** graphile.yaml. */
export const graphileFileSchema = Type.Object(
  {
    endpoint: Type.Optional(
      Type.String({
        title: 'a path like /graphql, where Rowgate serves nothing else',
        description:
          "Where PostGraphile's own dialect is served; /graphql where it is not written.",
        pattern:
          '^(?!/(v1|v1alpha1|docs|healthz|readyz|metrics|ruru-static|auth)(/|$))(/[A-Za-z0-9_-]{1,60}){1,5}$',
      }),
    ),
    config: Type.Optional(
      Type.String({
        title: 'a path like ./graphile.config.ts',
        description: 'A preset of PostGraphile, from the folder of this file on.',
        pattern: '^[^/\\u0000-\\u001f].{0,500}\\.(ts|mts|js|mjs)$',
      }),
    ),
    limits: Type.Optional(limits),
    fields: Type.Optional(openFields),
    relationships: Type.Optional(typeRelationships),
  },
  { ...closed, title: 'a map with endpoint, config, limits, fields and relationships' },
);
