import { Type } from 'typebox';

const name = Type.String({ maxLength: 100 });
/** A text without the character that Postgres does not accept. */
const value = Type.String({ maxLength: 1000, pattern: '^[^\\x00]*$' });
const exactly = { additionalProperties: false } as const;

const list = {
  section: name,
  list: name,
  of: Type.Optional(
    Type.String({ ...value, description: 'The key of the row to which the list belongs' }),
  ),
};

export const pageBody = Type.Object(
  {
    ...list,
    search: Type.Optional(value),
    filter: Type.Optional(name),
    after: Type.Optional(
      Type.Array(value, { maxItems: 5, description: '`next` of the page before' }),
    ),
  },
  { title: 'SectionPageQuestion', ...exactly },
);

/** The maximum number of rows of one act. */
export const maxChosen = 100;

const chosen = {
  ...list,
  act: name,
  keys: Type.Array(value, { minItems: 1, maxItems: maxChosen, uniqueItems: true }),
  choice: Type.Optional(name),
};

export const actWords = Type.Object(
  { question: Type.String(), lines: Type.Array(Type.String()) },
  { title: 'SectionActWords', ...exactly },
);

export const wordsBody = Type.Object(chosen, { title: 'SectionAct', ...exactly });

export const actBody = Type.Object(
  { ...chosen, confirmed: actWords },
  { title: 'ConfirmedSectionAct', ...exactly },
);

export const actAnswer = Type.Object(
  { done: Type.String({ description: 'A sentence that says what was done' }) },
  { title: 'SectionActResult', ...exactly },
);

export const pageAnswer = Type.Object(
  {
    rows: Type.Array(
      Type.Object({
        key: Type.String(),
        cells: Type.Array(Type.Union([Type.String(), Type.Null()])),
      }),
    ),
    next: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'SectionPage' },
);

const choice = Type.Object({ title: Type.String(), names: Type.Array(Type.String()) });

export const sectionsAnswer = Type.Array(
  Type.Object({
    name: Type.String(),
    title: Type.String(),
    lists: Type.Array(
      Type.Object({
        name: Type.String(),
        title: Type.String(),
        description: Type.String(),
        of: Type.Optional(Type.String()),
        search: Type.Optional(Type.String()),
        filter: Type.Optional(choice),
        columns: Type.Array(
          Type.Object({
            title: Type.String(),
            kind: Type.Optional(Type.Enum(['time', 'code'])),
          }),
        ),
        empty: Type.String(),
        acts: Type.Array(
          Type.Object({
            name: Type.String(),
            title: Type.String(),
            choice: Type.Optional(choice),
          }),
        ),
        isForHealth: Type.Optional(Type.Boolean()),
      }),
    ),
  }),
  { title: 'ConsoleSections' },
);
