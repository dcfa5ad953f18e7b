import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../../../support/http.ts';
import { query } from '../../../../support/query.ts';
import { type LocalIssuer, startLocalIssuer } from './local-issuer.ts';

/** A server on a database with the platform's tables, and an issuer that the server trusts. */
export interface World {
  readonly database: TestDatabase;
  readonly issuer: LocalIssuer;
  readonly server: TestServer;
  /** Runs statements as the superuser and returns the rows of the last one. */
  sql(...statements: readonly string[]): Promise<unknown[]>;
  end(): Promise<void>;
}

/** @param options `graphql`: false for tests without requests to the data API, whose schemas take most of the start */
export async function makeWorld(
  environment: Readonly<Record<string, string>> = {},
  options: Pick<TestServerOptions, 'graphql'> = {},
): Promise<World> {
  const database = await createDatabase({ from: 'applied' });
  const issuer = await startLocalIssuer();
  const server = await startTestServer({
    database,
    rest: true,
    ...options,
    environment: { ...issuer.environment, ...environment },
  });
  return {
    database,
    issuer,
    server,
    sql: (...statements) => query(database.superuserUrl, ...statements),
    end: async () => {
      await server.stop();
      await issuer.stop();
      await database.drop();
    },
  };
}
