import type pg from 'pg';
import { meaningOf } from '../../expressions/combine.ts';
import type { Model } from '../../types/model.ts';
import type { Change } from '../change.ts';
import type { ReportedChange } from '../report.ts';
import { type Counts, countRows } from './count-rows.ts';
import { replayChange } from './replay.ts';

/** How many seconds the replay of one counterexample may take. Its tables have a few rows. */
const replaySeconds = 5;

/**
 * Counts the existing rows that roles gain and lose, and replays the counterexamples. Both transactions end in a
 * rollback, and the first one is read-only.
 */
export async function gatherEvidence(
  client: pg.ClientBase,
  changes: readonly Change[],
  { model, seconds }: { readonly model: Model; readonly seconds: number },
): Promise<readonly ReportedChange[]> {
  const { rows } = await client.query<{ login: string }>('select session_user as login');
  const login = rows[0]?.login ?? '';
  const until = performance.now() + seconds * 1000;
  const counted = await inTransaction(client, 'read only', () =>
    inOrder(changes, (change) => countRows(client, change, { model, login, until })),
  );
  const replayed = await inTransaction(client, 'read write', () =>
    inOrder(changes, (change) => replayChange(client, change, { model, login, until })),
  );
  return changes.map((change, index) => {
    const [counts, replay] = [counted[index], replayed[index]];
    if (!counts && !replay) return { ...change, evidence: undefined };
    const { verdict } = change.rows ?? {};
    const gains = verdict !== 'narrower' && verdict !== 'same';
    const loses = verdict !== 'wider' && verdict !== 'same';
    const evidence = {
      gained: gains ? counts?.gained : undefined,
      lost: loses ? counts?.lost : undefined,
      replay,
    };
    const reason = countedAgainst(change, counts);
    if (reason !== undefined)
      return {
        ...undecided(change, reason),
        evidence: { gained: counts?.gained, lost: counts?.lost, replay },
      };
    return replay?.kind === 'contradicted'
      ? {
          ...undecided(change, `Postgres contradicts the example: ${replay.reason}`),
          ...{ evidence },
        }
      : { ...change, evidence };
  });
}

/** Returns why counted rows contradict the verdict of a change. Undefined if they agree, or were not counted. */
function countedAgainst({ rows }: Change, counts: Counts | undefined): string | undefined {
  const { verdict } = rows ?? {};
  const [gained, lost] = [counts?.gained.rows ?? 0, counts?.lost.rows ?? 0];
  const noted = [
    ...((verdict === 'same' || verdict === 'narrower') && gained > 0 ? [`${gained} gained`] : []),
    ...((verdict === 'same' || verdict === 'wider') && lost > 0 ? [`${lost} lost`] : []),
  ];
  return noted.length > 0
    ? `Postgres counts rows that the comparison excludes: ${noted.join(', ')}`
    : undefined;
}

/** Makes a change undecided, because a comparison that Postgres contradicts proves nothing. */
function undecided(change: Change, reason: string): Change {
  const { rows } = change;
  if (!rows) return change;
  return {
    ...change,
    class: 'review',
    sentence: `${change.role ?? ''} may reach other rows of ${change.table} than before: the comparison could not decide`,
    details: [`before: ${rows.beforeText}`, `now: ${rows.afterText}`, `because ${reason}`],
    rows: { ...rows, verdict: 'undecided', reason },
  };
}

/** Does work for each change, and once for changes with the same conditions on the same table. */
async function inOrder<R>(
  changes: readonly Change[],
  work: (change: Change) => Promise<R>,
): Promise<readonly (R | undefined)[]> {
  const known = new Map<string, R>();
  const results: (R | undefined)[] = [];
  for (const change of changes) {
    const { rows, aspect } = change;
    const key = rows && meaningOf([aspect, rows.table, rows.before, rows.after]);
    const result = key === undefined ? undefined : (known.get(key) ?? (await work(change)));
    if (key !== undefined && result !== undefined) known.set(key, result);
    results.push(result);
  }
  return results;
}

/** Runs work in a transaction that always ends in a rollback. Row security must not filter what the owner counts. */
async function inTransaction<T>(
  client: pg.ClientBase,
  mode: 'read only' | 'read write',
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`begin isolation level repeatable read ${mode}`);
  try {
    await client.query(
      `select pg_catalog.set_config(name, value, true) from (values
        ('search_path', 'pg_catalog, pg_temp'), ('timezone', 'UTC'), ('datestyle', 'ISO, MDY'), ('intervalstyle', 'postgres'),
        ('row_security', 'off'), ('lock_timeout', '1s'), ('statement_timeout', '${replaySeconds}s')) s(name, value)`,
    );
    return await work();
  } finally {
    await client.query('rollback');
  }
}
