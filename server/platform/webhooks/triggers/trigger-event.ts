import { type TObject, type TSchema, Type } from 'typebox';

/** What a change of a row is called. */
export type Operation = 'INSERT' | 'UPDATE' | 'DELETE';

/** One of the platform's rows that events name. */
export const rowId = Type.String({ format: 'uuid', description: 'The id of the row' });
/** The status of a row, which is read anew before anything is done. */
export const status = Type.String({ description: 'The status that the row had at the time' });

/** The event, the row, and the statuses that it moved from and to: from none where it was inserted. */
export function statusMove(event: {
  readonly id: string;
  readonly old: { readonly status: string } | null | undefined;
  readonly new: { readonly id: string; readonly status: string };
}): readonly [eventId: string, id: string, from: string | null, to: string] {
  return [event.id, event.new.id, event.old?.status ?? null, event.new.status];
}

/** Hasura's payload of an event on one table. Columns beyond those of `row` are let through. */
export function triggerBody(table: string, operations: readonly Operation[], row: TObject) {
  return Type.Object(
    {
      id: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The event: a repeat has no second effect',
      }),
      created_at: Type.Optional(Type.String({ description: 'When the row changed' })),
      trigger: Type.Object({ name: Type.String({ minLength: 1 }) }),
      table: Type.Object({ schema: Type.Literal('public'), name: Type.Literal(table) }),
      event: Type.Object({ op: oneOf(operations), data: dataOf(operations, row) }),
    },
    { title: `${camelCase(table)}${operations.map(capitalized).join('')}Event` },
  );
}

function oneOf(operations: readonly Operation[]): TSchema {
  const [only] = operations;
  return only && operations.length === 1 ? Type.Literal(only) : Type.Enum([...operations]);
}

/** What an event surely brings: the row as it is, or as it was. */
function dataOf(operations: readonly Operation[], row: TObject): TObject {
  const needsNew = !operations.includes('DELETE');
  const needsOld = !operations.includes('INSERT');
  const old = needsOld ? row : Type.Optional(Type.Union([row, Type.Null()]));
  return Type.Object({
    ...((needsOld || operations.includes('UPDATE')) && { old }),
    ...(needsNew && { new: row }),
  });
}

function capitalized(operation: Operation): string {
  return operation.charAt(0) + operation.slice(1).toLowerCase();
}

function camelCase(table: string): string {
  return table.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
