import type pino from 'pino';
import type { Model } from '../../../../permissions/index.ts';
import { type Caller, sessionOf } from '../../../caller/authenticate.ts';
import { shareOf } from '../../../caller/caller-share.ts';
import type { Config } from '../../../config/config.ts';
import { RequestPool } from '../../../db/requests/request-pool.ts';
import type { RunStatement } from '../../../db/requests/transaction.ts';
import { Refusal } from '../../../http/answers/problem.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import { makeSelect, type RowQuery } from './select-rows.ts';

/**
 * The columns of a row that the role may see, as text from Postgres: numbers are exact, times are ISO 8601, JSON is its
 * source text. Columns that the role may not see are absent.
 */
export type Row = Readonly<Record<string, string | null | undefined>>;

/** A snapshot of the rows that a role sees. */
export interface Rows {
  /**
   * Reads rows. Returns undefined when the role may not see the table or a column of the condition, or the caller lacks
   * a session variable of the rule.
   * @throws Refusal 422 when the result has more rows than the role may list; 503 when the database does not answer
   */
  select(query: RowQuery): Promise<readonly Row[] | undefined>;
}

/** Reads rows under the rules of the caller's role. */
export interface Reader {
  /** Returns the current model, the checked form of the metadata. A reload replaces it. */
  model(): Model;
  /**
   * Runs `work` on one snapshot. When `signal` aborts first, running statements are cancelled.
   * @throws Refusal 503, errors of `work`, and the reason of `signal`
   */
  read<T>(caller: Caller, work: (rows: Rows) => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** Connection string of the gateway login. */
  readonly databaseUrl: string;
  readonly config: Pick<Config, 'poolSize' | 'limits'>;
  /** Returns the current model, the checked form of the metadata. A reload replaces it. */
  readonly model: () => Model;
  readonly logger: pino.Logger;
}

const searchPath = 'pg_catalog, pg_temp';

/** Makes a reader, which connects at its first use. */
export function openReader({ databaseUrl, config, model, logger }: ReaderOptions): Reader {
  const { statementTimeoutMs, maxWaitMs, rows: maxRows } = config.limits;
  const pool = new RequestPool({
    connectionString: databaseUrl,
    size: config.poolSize,
    maxWaitMs,
    statementTimeoutMs,
    logger,
  });
  return {
    model,
    read: async (identified, work, signal) => {
      const served = model();
      // The role is looked up again, because the rules may have changed after the caller was identified.
      const role = served.roles.get(identified.role.name);
      if (!role) return work({ select: async () => undefined });
      const caller = { ...identified, role };
      const settings = {
        role: role.postgresName,
        searchPath,
        names: served.variables,
        values: caller.variables,
        session: JSON.stringify(sessionOf(role.name, caller, served.headerPrefix)),
        share: shareOf(caller, {}),
      };
      const outcome = await orUnavailable(
        // An error of `work` is handled separately from errors of the pool, so that it is not reported as a failure of
        // the database.
        pool.snapshot(
          settings,
          async (run) => {
            const runStatement: RunStatement = (statement) => orUnavailable(run(statement), logger);
            const [settled] = await Promise.allSettled([
              work({
                select: (query) => select(query, { caller, model: served, maxRows, runStatement }),
              }),
            ]);
            return settled;
          },
          { signal },
        ),
        logger,
      );
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    },
    close: () => pool.close(),
  };
}

interface Reading {
  readonly caller: Caller;
  readonly model: Model;
  readonly maxRows: number;
  readonly runStatement: RunStatement;
}

async function select(
  query: RowQuery,
  { caller, model, maxRows, runStatement }: Reading,
): Promise<readonly Row[] | undefined> {
  const made = makeSelect(query, caller, model, maxRows);
  if (made === undefined) return undefined;
  if (made === 'none') return [];
  const [text] = await runStatement(made.statement);
  const found = JSON.parse(text ?? '[]') as readonly (readonly (string | null)[])[];
  if (found.length > made.max && query.limit !== made.max) throw tooManyRows(query, made.max);
  return found
    .slice(0, made.max)
    .map((cells) =>
      Object.fromEntries(made.columns.map((column, index) => [column, cells[index]])),
    );
}

function tooManyRows({ table }: RowQuery, max: number): Refusal {
  const detail = `this needs more than ${max} rows of ${table}, which is the maximum for one read`;
  return new Refusal({ status: 422, code: 'row-limit-exceeded', detail });
}
