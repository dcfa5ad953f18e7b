import type pg from 'pg';
import type { Json } from '../graphql/json.ts';

/** The channel on which the database notifies, without data, that a call was stored. */
export const requestedChannel = 'rowgate_action';

/** A call to store. */
export interface NewRequest {
  readonly action: string;
  readonly role: string;
  readonly sessionVariables: Readonly<Record<string, string>>;
  readonly input: Json;
  readonly clientHeaders: Readonly<Record<string, string>>;
  /** Time after which another worker may take the call. Must be longer than one try. */
  readonly leaseSeconds: number;
}

/** Stores a call for the workers. Returns its id. */
export async function storeRequest(pool: pg.Pool, request: NewRequest): Promise<string> {
  const { rows } = await pool.query<{ readonly id: string }>(
    `with made as (
       insert into rowgate_events.action_request
         (action, role, session_variables, input, client_headers, lease_seconds)
       values ($1, $2, $3, $4, $5, $6) returning id
     )
     select id, pg_catalog.pg_notify('${requestedChannel}', '') from made`,
    [
      request.action,
      request.role,
      JSON.stringify(request.sessionVariables),
      JSON.stringify(request.input),
      JSON.stringify(request.clientHeaders),
      request.leaseSeconds,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('the call of an action was not stored');
  return row.id;
}

export type RequestStatus = 'created' | 'processing' | 'completed' | 'error';

/** The stored state and outcome of a call. */
export interface StoredOutcome {
  readonly id: string;
  readonly status: RequestStatus;
  /** Time in ISO 8601 and UTC. */
  readonly created_at: string;
  /** JSON text, like `errors`. */
  readonly output: string | null;
  readonly errors: string | null;
}

/** Finds a call by its id; undefined for callers of another role or with other session variables. */
export async function findRequest(
  pool: pg.Pool,
  call: Pick<NewRequest, 'action' | 'sessionVariables'> & { readonly id: string },
): Promise<StoredOutcome | undefined> {
  // The stored session variables include the role, so comparing them also compares the role.
  const { rows } = await pool.query<StoredOutcome>(
    `select id, status,
       to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at,
       output::text, errors::text
     from rowgate_events.action_request
     where id = $1 and action = $2 and session_variables = $3::jsonb`,
    [call.id, call.action, JSON.stringify(call.sessionVariables)],
  );
  return rows[0];
}

/** A call that a worker has taken. */
export interface TakenRequest {
  readonly id: string;
  readonly created_at: string;
  readonly action: string;
  readonly session_variables: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly input: string;
  readonly client_headers: Readonly<Record<string, string>>;
  /** Number of tries, including this one. */
  readonly tries: number;
}

/**
 * Takes due calls, the oldest first, except calls of the actions in `except`. When a lease expires, any worker may take
 * the call again.
 */
export async function takeRequests(
  pool: pg.Pool,
  count: number,
  except: readonly string[],
): Promise<readonly TakenRequest[]> {
  const { rows } = await pool.query<TakenRequest>(
    `update rowgate_events.action_request r
     set status = 'processing', tries = r.tries + 1,
       due_at = now() + r.lease_seconds * interval '1 s'
     from (
       select id from rowgate_events.action_request
       where ended_at is null and due_at <= now() and action <> all ($2)
       order by due_at limit $1 for update skip locked
     ) d
     where r.id = d.id
     returning r.id, r.action, r.session_variables, r.input::text, r.client_headers, r.tries,
       to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at`,
    [count, except],
  );
  return rows;
}

/** Ends a call that has not ended yet. Only the worker that took the call last may end it with an error. */
export async function endRequest(
  pool: pg.Pool,
  { id, tries }: Pick<TakenRequest, 'id' | 'tries'>,
  end: { readonly output: Json } | { readonly errors: readonly Json[] },
): Promise<void> {
  const isError = 'errors' in end;
  const text = JSON.stringify(isError ? end.errors : end.output);
  await pool.query(
    `update rowgate_events.action_request
     set status = $2, output = $3, errors = $4, client_headers = '{}', ended_at = now()
     where id = $1 and ended_at is null and ($4::json is null or tries = $5)`,
    [id, isError ? 'error' : 'completed', isError ? null : text, isError ? text : null, tries],
  );
}

/**
 * Makes a call due again after some milliseconds.
 * @param counts whether the last try counts against the retry limit
 */
export async function retryRequest(
  pool: pg.Pool,
  { id, tries }: Pick<TakenRequest, 'id' | 'tries'>,
  { afterMs, counts }: { readonly afterMs: number; readonly counts: boolean },
): Promise<void> {
  await pool.query(
    `update rowgate_events.action_request
     set due_at = now() + $3 * interval '1 ms', tries = tries - $4
     where id = $1 and tries = $2 and ended_at is null`,
    [id, tries, afterMs, counts ? 0 : 1],
  );
}

/** Deletes calls that ended more than `days` days ago. Returns their number. */
export async function deleteRequests(pool: pg.Pool, days: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from rowgate_events.action_request
     where ended_at < now() - $1 * interval '1 day'`,
    [days],
  );
  return rowCount ?? 0;
}
