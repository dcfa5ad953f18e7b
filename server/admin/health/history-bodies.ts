import { Type } from 'typebox';

export const historyQuery = Type.Object(
  {
    before: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,8}$',
        description: 'Only applies with a smaller number; absent: the newest ones',
      }),
    ),
  },
  { title: 'HistoryPage', additionalProperties: false },
);

const text = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const historyAnswer = Type.Object(
  {
    applies: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ description: 'The number of the apply' }),
          endedAt: Type.String({ description: 'ISO 8601' }),
          login: Type.String({ description: 'The login of Postgres' }),
          actor: text('The person or program, as it named itself'),
          revision: text('The git commit of the metadata folder'),
          version: Type.String({ description: 'The version of the program' }),
          words: Type.Array(Type.String(), { description: 'What changed for whom' }),
          plan: Type.Array(Type.String(), { description: 'The changes of database objects' }),
          error: text('Why it failed; null for an apply that succeeded'),
          hasFiles: Type.Boolean({
            description: 'Whether its files are kept, so that it can be compared',
          }),
        },
        { title: 'RecordedApply' },
      ),
      { description: 'The newest first' },
    ),
    next: Type.Optional(
      Type.Integer({
        description: 'The value of `before` for the next page; absent on the last page',
      }),
    ),
  },
  { title: 'ApplyHistory' },
);
