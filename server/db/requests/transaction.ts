import { cancelOnAbort } from './cancel-on-abort.ts';
import { type Conversation, commit, succeeds } from './conversation.ts';
import type { FlightStatement } from './flight.ts';
import type { Loan } from './loan.ts';

/**
 * One statement whose single row holds JSON texts. A statement that is prepared has a name from `statementName`.
 */
export type JsonStatement = FlightStatement;

/** The only row of a statement. */
export type JsonRow = readonly (string | null)[];

/** Runs a statement inside a transaction and returns its only row. */
export type RunStatement = (statement: JsonStatement) => Promise<JsonRow>;

/**
 * Runs statements with one row each in a transaction. It is committed when `work` resolves, and rolled back when `work`
 * rejects.
 */
export async function transact<T>(
  loan: Loan,
  { begun, writes, signal }: Conversation,
  work: (run: RunStatement) => Promise<T>,
): Promise<T> {
  const { client } = loan;
  const run: RunStatement = async ({ text, values, name }) => {
    signal?.throwIfAborted();
    try {
      const [row = []] = await client.rows({ text, values: [...values], name });
      return row;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  };
  try {
    await begun;
    const stopped = signal && cancelOnAbort({ client, begun, signal });
    const result = await work(run).finally(() => stopped?.());
    await (writes ? commit(client) : client.query('commit'));
    loan.isFit = true;
    return result;
  } catch (error) {
    // When the rollback also fails, the pool closes the connection, and Postgres rolls the transaction back.
    loan.isFit = await succeeds(client.query('rollback'));
    throw error;
  }
}
