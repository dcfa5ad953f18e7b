import { randomUUID } from 'node:crypto';

/** A row by column name. Numbers of Postgres are text, so that they keep their digits. */
// biome-ignore lint/suspicious/noExplicitAny: columns are what the test is about
export type Row = Readonly<Record<string, any>>;

/** The body of an event in Hasura's format. */
export interface Payload {
  readonly id: string;
  readonly table: { readonly schema: string; readonly name: string };
  readonly event: {
    readonly op: string;
    readonly data: { readonly old: Row | null; readonly new: Row | null };
  };
  readonly [more: string]: unknown;
}

/** Makes the body of the event for a change from one row to another. */
export function payloadOf(
  table: string,
  op: string,
  before: Row | null,
  after: Row | null,
): Payload {
  return {
    id: randomUUID(),
    created_at: new Date().toISOString(),
    trigger: { name: `${table}_${op.toLowerCase()}` },
    table: { schema: 'public', name: table },
    event: { op, session_variables: null, trace_context: null, data: { old: before, new: after } },
    delivery_info: { max_retries: 20, current_retry: 0 },
  } as Payload;
}
