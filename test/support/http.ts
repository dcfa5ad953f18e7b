import { cp, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { inject } from 'vitest';
import type { Part } from '../../server/config/serve-options.ts';
import type { PlatformConfig } from '../../server/platform/config/platform-config.ts';
import { startServer } from '../../server/start/start-server.ts';
import { sharedLogins, sharedRolePrefix } from './applied.ts';
import type { TestDatabase } from './database.ts';
import { applicationOf, parsePlatformConfig } from './platform.ts';
import { applyFolder, platformMetadata, prepareSidecar } from './rules.ts';

export { platformMetadata };

/** A gateway in this process, on its own port. */
export interface TestServer {
  readonly url: string;
  readonly adminSecret: string;
  readonly config: PlatformConfig;
  /** Applies a metadata folder as the owner. Postgres notifies the server. */
  apply(metadata: string): Promise<void>;
  /** Sends a request to a path, e.g. `/healthz`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /**
   * Posts an operation with the admin secret. `{ 'X-Gql-Role': … }` sets the role, and further headers set variables.
   */
  graphql(
    query: string,
    headers?: Readonly<Record<string, string>>,
    variables?: Readonly<Record<string, unknown>>,
  ): Promise<GraphqlAnswer>;
  stop(): Promise<void>;
}

export interface GraphqlAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
  readonly body: any;
}

export interface TestServerOptions {
  readonly database: TestDatabase;
  /** Metadata folder to apply before the server starts; default: the folder of the platform. */
  readonly metadata?: string;
  /** Further environment variables, e.g. `{ ROWGATE_MAX_DEPTH: '3' }`. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * The server of the platform also serves PostGraphile's dialect and the plugins of graphile.yaml, and reports that it
   * is ready. Default false, because PostGraphile builds a schema of all tables at each start.
   */
  readonly plugins?: boolean;
  /** False: the server runs without the data API. */
  readonly graphql?: boolean;
  /** The server also runs the sidecar; the database must be one of the platform. */
  readonly rest?: boolean;
  /** The server also delivers events, runs schedules and sends mail. */
  readonly worker?: boolean;
  /** Default: silent. */
  readonly logger?: pino.Logger;
}

/**
 * Applies the metadata to the database, unless it is applied already, and starts a server, as `rowgate apply` and
 * `rowgate serve` do.
 */
export async function startTestServer(options: TestServerOptions): Promise<TestServer> {
  const { database, metadata = platformMetadata, logger = pino({ level: 'silent' }) } = options;
  const dataDir = await mkdtemp(path.join(inject('scratch'), 'server-'));
  const adminSecret = 'a'.repeat(40);
  const { config } = parsePlatformConfig(
    {
      PORT: '0',
      DATABASE_URL: database.ownerUrl,
      ROWGATE_DATA_DIR: dataDir,
      ROWGATE_ADMIN_SECRET: adminSecret,
      // One drift check takes as long as the rest of the start.
      ROWGATE_DRIFT_INTERVAL: '0',
      ...(database.isApplied && { ROWGATE_ROLE_PREFIX: sharedRolePrefix }),
      ...(options.rest && { ROWGATE_SECRET_KEY: 's'.repeat(40) }),
      ...((options.rest || options.worker) && {
        ROWGATE_PLATFORM_ADMIN_SECRET: 'p'.repeat(40),
      }),
      ...options.environment,
    },
    dataDir,
  );
  if (database.isApplied) await cp(sharedLogins(), config.dataDir, { recursive: true });
  const apply = async (folder: string) => {
    if (database.isApplied) throw new Error('other files share the roles; make it from: platform');
    await applyFolder(config, database.ownerUrl, folder);
  };
  if (!database.isApplied || metadata !== platformMetadata) await apply(metadata);
  if (!database.isApplied && (options.rest || options.worker)) {
    await prepareSidecar(config, database.ownerUrl);
  }
  const parts: Part[] = options.graphql === false ? [] : ['graphql'];
  if (options.rest) parts.push('rest');
  if (options.worker) parts.push('worker');
  const isWithoutPlugins =
    metadata === platformMetadata && parts.includes('graphql') && !options.plugins;
  const served = isWithoutPlugins ? await folderWithoutPlugins() : metadata;
  const application = await applicationOf(served, config);
  const settings = { metadata: served, parts: new Set(parts) };
  const server = await startServer(config, settings, logger, application);
  const request = (target: string, init?: RequestInit) => fetch(`${server.url}${target}`, init);
  return {
    url: server.url,
    adminSecret,
    config,
    apply,
    fetch: request,
    graphql: async (query, headers = {}, variables = {}) => {
      const response = await request('/v1/graphql', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          [`${config.headerPrefix}Admin-Secret`]: adminSecret,
          ...headers,
        },
        body: JSON.stringify({ query, variables }),
      });
      return { status: response.status, body: await response.json() };
    },
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

let withoutPlugins: Promise<string> | undefined;

/** Returns a copy of the platform's metadata folder without graphile.yaml. Its rules are the same. */
function folderWithoutPlugins(): Promise<string> {
  withoutPlugins ??= copyWithoutPlugins();
  return withoutPlugins;
}

async function copyWithoutPlugins(): Promise<string> {
  const folder = await mkdtemp(path.join(inject('scratch'), 'without-plugins-'));
  await cp(platformMetadata, folder, { recursive: true });
  await rm(path.join(folder, 'graphile.yaml'));
  return folder;
}
