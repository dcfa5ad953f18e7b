import type pg from 'pg';
import { StatementError } from '../../db/requests/outcome-unknown-error.ts';
import type { ByteRow } from '../../db/requests/request-pool.ts';
import { makeSettingsQuery, type RequestSettings } from '../../db/requests/request-settings.ts';
import type { JsonRow, JsonStatement, RunStatement } from '../../db/requests/transaction.ts';
import { encodeBytes } from '../../db/requests/wire/message-reader.ts';
import type { StatementRunner } from './statement-runner.ts';

const types = { getTypeParser: () => (value: string) => value };

/**
 * Runs operations inside the transaction of a connection, which the caller of the runner rolls back. Each operation is a
 * savepoint, so a failed operation leaves nothing behind.
 */
export class TransactionRunner implements StatementRunner {
  readonly #client: pg.ClientBase;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  async read(settings: RequestSettings, statement: JsonStatement): Promise<ByteRow> {
    const row = await this.transact(settings, (run) => run(statement));
    return row.map((text) => (text === null ? null : encodeBytes(text)));
  }

  write(
    settings: RequestSettings,
    statements: readonly JsonStatement[],
  ): Promise<readonly JsonRow[]> {
    return this.transact(settings, async (run) => {
      const rows: JsonRow[] = [];
      for (const [index, statement] of statements.entries()) {
        try {
          rows.push(await run(statement));
        } catch (error) {
          throw new StatementError(index, error);
        }
      }
      return rows;
    });
  }

  async transact<T>(
    settings: RequestSettings,
    work: (run: RunStatement) => Promise<T>,
  ): Promise<T> {
    await this.#client.query('savepoint rowgate_operation');
    try {
      const { text, values } = makeSettingsQuery(
        settings,
        String(settings.statementTimeoutMs),
        false,
      );
      await this.#client.query(text, values);
      const result = await work((statement) => this.#run(statement));
      await this.#client.query('release savepoint rowgate_operation; reset role');
      return result;
    } catch (error) {
      await this.#client.query(
        'rollback to savepoint rowgate_operation; release savepoint rowgate_operation',
      );
      throw error;
    }
  }

  async #run({ text, values }: JsonStatement): Promise<JsonRow> {
    const query = { text, values: [...values], rowMode: 'array' as const, types };
    const { rows } = await this.#client.query<(string | null)[]>(query);
    return rows[0] ?? [];
  }
}
