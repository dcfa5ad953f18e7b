import { type Static, Type } from 'typebox';
import { decoded, map, node, object } from '../../shape/shape.ts';

/** A boolean expression of a rule. It is checked later, when its table is known. */
export const filter = node(
  Type.Object(
    {},
    {
      title: 'a boolean expression, {} for every row',
      description:
        'A condition on rows, in the language of the where argument; {} means every row.',
      additionalProperties: true,
    },
  ),
);

const filters = decoded(
  map(filter, { title: 'a map of names to boolean expressions' }),
  (entries) => entries.map(({ key, value }) => ({ name: key, filter: value })),
);

export const filtersFile = object({ filters }, { title: 'a map with filters' });

export type RawFilter = Static<typeof filters>[number];
