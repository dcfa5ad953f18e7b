import type pg from 'pg';
import { withTransaction } from '../../db/with-transaction.ts';
import { type Queue, within } from '../../queue/open-queue.ts';
import { allowOneMoreRetry, delayRetries } from '../../queue/queue-tables.ts';
import type { EventQueue } from '../event-queues.ts';
import { lockPaused } from '../outbox/pause.ts';
import type { Outcome } from './outcome.ts';

export interface SettleOptions {
  readonly pool: pg.Pool;
  readonly queue: Queue;
  readonly name: EventQueue;
}

/**
 * Records the results of jobs, events and attempts in one transaction. A job that another worker has taken over is not
 * changed, but an accepted delivery still counts for its event.
 */
export function settle(
  { pool, queue, name }: SettleOptions,
  outcomes: readonly Outcome[],
): Promise<void> {
  const again = outcomes.filter(({ kind }) => kind === 'again' || kind === 'paused');
  const ended = outcomes.filter((outcome) => !again.includes(outcome)).map(({ job }) => job);
  const untried = again.filter(({ attempt }) => !attempt).map(({ job }) => job);
  return withTransaction(pool, async (client) => {
    const changed = outcomes.filter(({ attempt, kind }) => attempt || kind === 'dead');
    const missed = await recordOutcomes(client, changed);
    // Records missing events again. A statement that had to wait for the creation of a partition does not see the rows
    // of that partition; the next statement sees them.
    await recordOutcomes(client, missed);
    if (ended.length > 0) await queue.boss.deleteJob(name, ended, within(client));
    if (again.length === 0) return;
    const isPaused = again.some(({ kind }) => kind === 'paused');
    const paused = isPaused ? await lockPaused(client) : new Set<string>();
    const jobs = again.map((outcome) => ({ ...outcome.job, afterMs: waitOf(outcome, paused) }));
    // pg-boss counts every return of a job as a retry. A return without an attempt must not count as one.
    if (untried.length > 0) await allowOneMoreRetry(client, name, untried);
    await queue.boss.fail(name, jobs, undefined, within(client));
    await delayRetries(client, name, jobs);
  });
}

/** Returns the time until the next try. A trigger can have been resumed since its event was loaded. */
function waitOf(outcome: Outcome, paused: ReadonlySet<string>): number {
  if (outcome.kind === 'again') return outcome.afterMs;
  return paused.has(outcome.job.trigger) ? Number.POSITIVE_INFINITY : 0;
}

/** Records outcomes. Returns the outcomes whose events were not found. */
async function recordOutcomes(
  client: pg.ClientBase,
  outcomes: readonly Outcome[],
): Promise<readonly Outcome[]> {
  if (outcomes.length === 0) return [];
  const { rows } = await client.query<{ readonly id: string }>(
    `with o as (
       select * from json_to_recordset($1) as o (
         id uuid, at timestamptz, taken boolean, dead text,
         tried timestamptz, status integer, ms integer, excerpt text, error text
       )
     ), e as (
       update rowgate_events.event e set
         tries = e.tries + case when o.tried is null then 0 else 1 end,
         delivered_at = case when o.taken then now() else e.delivered_at end,
         dead_at = case when o.taken then null when o.dead is not null and e.delivered_at is null then now()
           else e.dead_at end,
         dead_reason = case when o.taken then null when o.dead is not null and e.delivered_at is null then o.dead
           else e.dead_reason end
       from o where e.id = o.id and e.created_at = o.at
       returning e.id, e.created_at, e.tries
     ), a as (
       insert into rowgate_events.attempt
         (event_id, event_created_at, number, at, status, duration_ms, excerpt, error)
       select e.id, e.created_at, e.tries, o.tried, o.status, o.ms, nullif(o.excerpt, ''), o.error
       from e join o using (id) where o.tried is not null
     )
     select e.id from e`,
    [JSON.stringify(outcomes.map(rowOf))],
  );
  const found = new Set(rows.map(({ id }) => id));
  return outcomes.filter(({ job }) => !found.has(job.data.id));
}

function rowOf(outcome: Outcome) {
  const { job, attempt, kind } = outcome;
  return {
    ...job.data,
    taken: kind === 'taken',
    dead: kind === 'dead' ? storable(outcome.reason) : null,
    ...(attempt && {
      tried: attempt.at,
      status: attempt.answer.status,
      ms: attempt.answer.durationMs,
      excerpt: storable(attempt.answer.excerpt),
      error: attempt.answer.error && storable(attempt.answer.error),
    }),
  };
}

/**
 * Removes characters that Postgres cannot store in a text. One invalid text would fail the statement for all outcomes
 * of the batch.
 */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, 4096).toWellFormed();
}
