import type pino from 'pino';
import type { Config } from '../config/config.ts';
import { ProcessError } from '../errors.ts';
import { prepareDataDir } from './embedded/home.ts';
import {
  configuredLogin,
  type LoginKind,
  resolveLogin,
  type ServerLogin,
} from './logins/logins.ts';

/** An open database, with the URLs of its logins. */
export interface DatabaseAccess {
  readonly embedded: boolean;
  /** The URL of the owner. Throws RG_CONFIG (exit 2) when only the gateway's URL is configured. */
  ownerUrl(): string;
  /** A login of the server; its password is created at first use. Throws RG_CONFIG (exit 2) when no URL is known. */
  login(kind: LoginKind): Promise<ServerLogin>;
  /** The URL for LISTEN, which must bypass a pooler. */
  directUrl(): Promise<string>;
  /** Ends the use of the embedded server, which stops when no other process uses it. */
  close(): Promise<void>;
}

/** Returns why the embedded server is used, for people; undefined when a database is configured. */
export function embeddedReason({ database, dataDir }: Config): string | undefined {
  if (database.kind === 'given') return undefined;
  return `DATABASE_URL is not set, so this uses a Postgres of its own in ${dataDir}`;
}

/**
 * Connects to or starts the embedded server, or uses the configured server without connecting to it yet. `meanwhile` is
 * called when the embedded cluster must be created first; it must not throw.
 */
export async function openDatabase(
  config: Config,
  logger: pino.Logger,
  meanwhile: () => void = () => {},
): Promise<DatabaseAccess> {
  const { database, dataDir } = config;
  if (database.kind === 'given') return givenDatabase(config, database);
  // Loaded on demand, because programs with a configured database need neither the lock nor the binaries of the
  // embedded server.
  const { startEmbedded } = await import('./embedded/start-embedded.ts');
  const cluster = await startEmbedded({ dataDir, logger, meanwhile });
  const login = (kind: LoginKind) => resolveLogin(config, cluster.ownerUrl, kind);
  return {
    embedded: true,
    ownerUrl: () => cluster.ownerUrl,
    login,
    directUrl: async () => (await login('gateway')).url,
    close: () => cluster.stop(),
  };
}

function givenDatabase(
  config: Config,
  database: Extract<Config['database'], { kind: 'given' }>,
): DatabaseAccess {
  const ownerUrl = () => {
    if (database.ownerUrl !== undefined) return database.ownerUrl;
    throw new ProcessError('RG_CONFIG', 'DATABASE_URL is not set', {
      hint: 'set it to the URL of the login that owns the tables',
      exitCode: 2,
    });
  };
  const configured = { gateway: database.gatewayUrl, sidecar: database.sidecarUrl };
  const login = async (kind: LoginKind) => {
    const url = configured[kind];
    if (url !== undefined) return configuredLogin(url);
    const owner = ownerUrl();
    await prepareDataDir(config.dataDir);
    return resolveLogin(config, owner, kind);
  };
  return {
    embedded: false,
    ownerUrl,
    login,
    directUrl: async () => database.directUrl ?? (await login('gateway')).url,
    close: async () => {},
  };
}
