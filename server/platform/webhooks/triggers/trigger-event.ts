import { type TObject, type TSchema, Type } from 'typebox';

/** The kind of a row change. */
export type Operation = 'INSERT' | 'UPDATE' | 'DELETE';

/** The id of the changed row. */
export const rowId = Type.String({ format: 'uuid', description: 'The id of the row' });
/**
 * The status in the event, which may be outdated on arrival. The database function reads the current status again
 * before it acts.
 */
export const status = Type.String({
  description: 'The status of the row at the time of the event',
});

/** Returns the ids of event and row, and the old and new status. The old status of an inserted row is null. */
export function statusChange(event: {
  readonly id: string;
  readonly old: { readonly status: string } | null | undefined;
  readonly new: { readonly id: string; readonly status: string };
}): readonly [eventId: string, id: string, from: string | null, to: string] {
  return [event.id, event.new.id, event.old?.status ?? null, event.new.status];
}

/** The schema of Hasura's event payload for one table. Columns that `row` does not list are accepted. */
export function triggerBody(table: string, operations: readonly Operation[], row: TObject) {
  return Type.Object(
    {
      id: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The id of the event; a repeated event has no second effect',
      }),
      created_at: Type.Optional(Type.String({ description: 'The time of the change' })),
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

/** The schema of the row before and after the change; a side is required when every operation has it. */
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
