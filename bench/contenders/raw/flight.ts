import pg from 'pg';
import type { Call } from './endpoint.ts';

// The settings and the statement of a request under one Sync message, which makes them one implicit transaction.
// Changes of this file move the reference with which Rowgate is compared, so it remains as it is.

const settings = {
  name: 'settings',
  text: `select set_config('transaction_read_only', $1, true), set_config('role', $2, true),
    set_config('gql.tenant_id', $3, true), set_config('statement_timeout', '15000', true),
    set_config('search_path', 'pg_catalog, pg_temp', true)`,
};

/** Members of pg's protocol connection that its types leave out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  close(statement: { readonly type: 'S'; readonly name: string }): void;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(values: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(options: object): void;
  sync(): void;
}

/** Calls of pg's client for one running query. */
interface Submittable {
  submit(connection: pg.Connection): void;
  handleRowDescription(): void;
  handleDataRow(message: { readonly fields: readonly string[] }): void;
  handleCommandComplete(): void;
  handlePortalSuspended(): void;
  handleEmptyQuery(): void;
  handleError(error: unknown): void;
  handleReadyForQuery(): void;
}

/** A database connection with the names of the statements that it has prepared. */
export interface FlightClient {
  readonly client: pg.Client;
  readonly prepared: Set<string>;
}

export async function connectFlightClient(connectionString: string): Promise<FlightClient> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return { client, prepared: new Set() };
}

/** Runs one operation in the role. Returns the JSON of `data`; rejects with the error of Postgres or the connection. */
export function fly(
  { client, prepared }: FlightClient,
  { operation, parameters, tenant }: Call,
  role: string,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const readOnly = operation.writes ? 'off' : 'on';
  const statements = [
    { ...settings, values: [readOnly, role, tenant] },
    { name: operation.name, text: operation.sql, values: parameters },
  ];
  let data = '';
  const flight: Submittable = {
    submit(connection) {
      const wire = connection as unknown as Wire;
      wire.stream.cork();
      for (const { name, text, values } of statements) {
        if (!prepared.has(name)) {
          // A flight that failed later may have prepared the statement.
          wire.close({ type: 'S', name });
          wire.parse({ name, text });
        }
        wire.bind({ statement: name, values });
        wire.execute({});
      }
      wire.sync();
      wire.stream.uncork();
    },
    handleRowDescription() {},
    handleDataRow({ fields: [field = ''] }) {
      data = field;
    },
    handleCommandComplete() {},
    handlePortalSuspended() {},
    handleEmptyQuery() {},
    handleError: reject,
    handleReadyForQuery() {
      for (const { name } of statements) prepared.add(name);
      resolve(data);
    },
  };
  client.query(flight as unknown as pg.Query);
  return promise;
}
