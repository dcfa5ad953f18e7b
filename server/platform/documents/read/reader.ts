import type pino from 'pino';
import type { Model } from '../../../../permissions/index.ts';
import type { Caller } from '../../../caller/authenticate.ts';
import { shareOf } from '../../../caller/caller-share.ts';
import type { Config } from '../../../config/config.ts';
import { RequestPool, type RunStatement } from '../../../db/requests/request-pool.ts';
import { Refusal } from '../../../http/problem.ts';
import { orUnavailable } from '../../../http/unavailable.ts';
import { makeSelect, type Wanted } from './select.ts';

/**
 * A row as far as its role sees it, by column: each value as Postgres writes it (numbers exact, times in ISO 8601,
 * JSON as its text), null where there is none. What the role may not see is not there.
 */
export type Row = Readonly<Record<string, string | null | undefined>>;

/** What a role sees at one moment. */
export interface Rows {
  /**
   * The rows; undefined where the role may not see the table or a column of the condition, or lacks a variable of its
   * rule. @throws Refusal 422 where there are more than the role may list, since a part would be taken for the whole;
   * 503 where the database does not answer
   */
  select(wanted: Wanted): Promise<readonly Row[] | undefined>;
}

/** Reads rows as a caller, by the rules of the caller's role. */
export interface Reader {
  /** The rules that are served at this moment. */
  model(): Model;
  /**
   * Everything that `work` reads is of one moment. When `signal` aborts first, running statements are stopped.
   * @throws Refusal 503, what `work` throws, and the reason of `signal`
   */
  read<T>(caller: Caller, work: (rows: Rows) => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** Connection string of the gateway's login. */
  readonly databaseUrl: string;
  readonly config: Pick<Config, 'poolSize' | 'limits'>;
  /** The rules that are served at this moment. */
  readonly model: () => Model;
  readonly logger: pino.Logger;
}

const searchPath = 'pg_catalog, pg_temp';

/** Connects on first use. */
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
      // The rules may have changed since the caller was identified.
      const role = served.roles.get(identified.role.name);
      if (!role) return work({ select: async () => undefined });
      const caller = { ...identified, role };
      const settings = {
        role: role.postgresName,
        searchPath,
        names: served.variables,
        values: caller.variables,
        share: shareOf(caller, undefined),
      };
      const outcome = await orUnavailable(
        // Settled within, so that what `work` throws is not taken for a failure of the database.
        pool.snapshot(
          settings,
          async (run) => {
            const ask: RunStatement = (statement) => orUnavailable(run(statement), logger);
            const [settled] = await Promise.allSettled([
              work({ select: (what) => select(what, { caller, model: served, maxRows, ask }) }),
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
  readonly ask: RunStatement;
}

async function select(
  wanted: Wanted,
  { caller, model, maxRows, ask }: Reading,
): Promise<readonly Row[] | undefined> {
  const made = makeSelect(wanted, caller, model, maxRows);
  if (made === undefined) return undefined;
  if (made === 'none') return [];
  const [text] = await ask(made.statement);
  const found = JSON.parse(text ?? '[]') as readonly (readonly (string | null)[])[];
  if (found.length > made.most && wanted.limit !== made.most) throw tooMany(wanted, made.most);
  return found
    .slice(0, made.most)
    .map((cells) =>
      Object.fromEntries(made.columns.map((column, index) => [column, cells[index]])),
    );
}

function tooMany({ table }: Wanted, most: number): Refusal {
  const detail = `this needs more than ${most} rows of ${table}, and no more may be read at once`;
  return new Refusal({ status: 422, code: 'row-limit-exceeded', detail });
}
