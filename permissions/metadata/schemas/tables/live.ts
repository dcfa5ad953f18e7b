import type { Static } from 'typebox';
import { choice, decoded, list, object, optional } from '../../shape/shape.ts';
import { name, trueOrFalse } from '../primitives.ts';

/** Each key column costs time in every write, and most subscriptions are narrowed by one or two columns. */
const maxColumns = 6;

const columns = (description: string) =>
  optional(
    list(name('the name of a column'), {
      title: `a list of at most ${maxColumns} columns`,
      description,
      maxItems: maxColumns,
      uniqueItems: true,
    }),
  );

const settings = object(
  {
    keys: columns(
      'A change wakes only the subscriptions that ask for its values of these columns; default: the primary key, and columns that a select rule compares with a session variable.',
    ),
    cursors: columns(
      'The columns by which rows can be streamed; default: the primary key, and timestamps that are not null.',
    ),
  },
  { title: 'a map with keys and cursors' },
);

/** The settings of a live table, with the position of the key. Undefined for `false`. */
export const live = decoded(
  choice([trueOrFalse(), settings], {
    title: 'true, false, or a map with keys and cursors',
    description:
      'Subscriptions to the table are answered as soon as a row changes. Triggers record each change.',
  }),
  (value, { key: { position } }) => {
    if (value === false) return undefined;
    return { position, ...(value === true ? { keys: undefined, cursors: undefined } : value) };
  },
);

export type RawLive = Static<typeof live>;
