import type pg from 'pg';
import type { ServerContext } from '../../../../cli/command-context.ts';
import { withOwnerPool } from '../../../../cli/with-owner-pool.ts';

export const callbackStates = [
  'stored',
  'done',
  'ignored',
  'unmatched',
  'failed',
  'malformed',
] as const;

export type CallbackState = (typeof callbackStates)[number];

/** Selects the callbacks of a command. An empty filter selects all callbacks. */
export interface Filter {
  readonly provider?: string;
  readonly state?: CallbackState;
}

/** A callback as `rowgate callbacks list` shows it. */
export interface ListedCallback {
  readonly id: string;
  readonly provider: string;
  readonly state: CallbackState;
  readonly receivedAt: Date;
  readonly settledAt: Date | null;
  /** The object that the callback waits for, or waited for before it was processed, e.g. `wallet/cw-1`. */
  readonly awaits: string | null;
  readonly note: string | null;
}

/** One callback with its content. */
export interface ShownCallback extends ListedCallback {
  readonly key: string;
  readonly bytes: number;
  /** JSON as Postgres stores it; null when the body is invalid. */
  readonly payload: string | null;
}

/**
 * Runs `work` with the owner's connections. @throws ProcessError RG_NOT_PREPARED when the inbox is missing or outdated
 */
export function withInbox<T>(
  context: ServerContext,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  return withOwnerPool(
    context,
    { relation: 'rowgate_webhooks.told_balance', subject: 'callbacks' },
    work,
  );
}

const listed = `i.id, i.provider, i.state, i.received_at as "receivedAt",
  i.settled_at as "settledAt", i.awaits, i.note`;
const matches = '($1::text is null or i.provider = $1) and ($2::text is null or i.state = $2)';

export interface CallbackPage extends Filter {
  /** The id of the last callback of the page before. */
  readonly after?: string;
  readonly limit: number;
}

/** Lists callbacks, the newest first. */
export async function listCallbacks(
  database: Pick<pg.ClientBase, 'query'>,
  { provider, state, after, limit }: CallbackPage,
): Promise<readonly ListedCallback[]> {
  const { rows } = await database.query<ListedCallback>(
    `select ${listed} from rowgate_webhooks.inbox i
     where ${matches} and ($3::uuid is null or (i.received_at, i.arrival) <
       (select a.received_at, a.arrival from rowgate_webhooks.inbox a where a.id = $3))
     order by i.received_at desc, i.arrival desc limit $4`,
    [provider ?? null, state ?? null, after ?? null, limit],
  );
  return rows;
}

export async function findCallback(pool: pg.Pool, id: string): Promise<ShownCallback | undefined> {
  const { rows } = await pool.query<ShownCallback>(
    `select ${listed}, i.event_key as key, pg_catalog.length(i.body) as bytes, i.payload::text as payload
     from rowgate_webhooks.inbox i where i.id = $1`,
    [id],
  );
  return rows[0];
}

/** The states of callbacks that can be processed again. */
export const retriedStates: readonly CallbackState[] = ['stored', 'ignored', 'unmatched', 'failed'];

/** Sets callbacks back to the state `stored`. Returns their ids in order of arrival. */
export async function resetToStored(
  client: pg.ClientBase,
  { provider, state }: Filter,
  id: string | undefined,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly id: string }>(
    `with again as (
       update rowgate_webhooks.inbox i set state = 'stored', note = null, settled_at = null
       where ${matches} and ($3::uuid is null or i.id = $3) and i.state = any ($4)
       returning i.id, i.arrival)
     select id from again order by arrival`,
    [provider ?? null, state ?? null, id ?? null, retriedStates],
  );
  return rows.map((row) => row.id);
}
