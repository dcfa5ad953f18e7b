import pg from 'pg';
import { errorCode, errorMessage, ProcessError } from '../errors.ts';

const connectTimeoutMs = 10_000;
const oldestMajor = 14;

/** The parts of a database URL with defaults filled in, without the password. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** Reads the endpoint from a postgres:// URL. */
export function endpointOf(url: string): Endpoint {
  const { host, port, user = '', database = user } = new pg.Client({ connectionString: url });
  return { host, port, user, database };
}

/**
 * Opens one connection, which the calling code must end. Throws RG_DATABASE_UNREACHABLE (exit 4) with host and port, or
 * RG_POSTGRES_TOO_OLD below Postgres 14.
 */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    fallback_application_name: 'rowgate',
  });
  // When an idle connection breaks, pg emits an error event, which would end the process without a listener. The next
  // query reports the failure.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw unreachable(url, error);
  }
  try {
    await refuseOldServer(client);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Runs work with its own connection. Throws like `connect`. */
export async function withConnection<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ readonly number: string; readonly version: string }>(
    `select pg_catalog.current_setting('server_version_num') as number,
            pg_catalog.current_setting('server_version') as version`,
  );
  const [server] = rows;
  if (server && Number(server.number) >= oldestMajor * 10_000) return;
  throw new ProcessError(
    'RG_POSTGRES_TOO_OLD',
    `the database server is Postgres ${server?.version}; rowgate needs ${oldestMajor} or later`,
    { hint: 'upgrade the server, or point DATABASE_URL to another one' },
  );
}

/** Makes the error of a connection that cannot be opened. */
export function unreachable(url: string, error: unknown): ProcessError {
  const { host, port, user, database } = endpointOf(url);
  return new ProcessError(
    'RG_DATABASE_UNREACHABLE',
    `cannot connect to database "${database}" at ${host}:${port} as "${user}": ${errorMessage(error)}`,
    { exitCode: 4, cause: error, hint: connectHint(errorCode(error), { user, database }) },
  );
}

function connectHint(
  code: string | undefined,
  { user, database }: Pick<Endpoint, 'user' | 'database'>,
): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'start the server, or correct host and port of the URL';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'correct the host of the URL';
    case '28P01':
    case '28000':
      return 'correct user and password of the URL, or allow the login in pg_hba.conf';
    case '42501':
      return `as a superuser: grant connect on database ${pg.escapeIdentifier(database)} to ${pg.escapeIdentifier(user)};`;
    case '3D000':
      return 'create the database, or correct its name in the URL';
    default:
      return 'check the URL, and that this machine can reach the server';
  }
}
