import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { inject } from 'vitest';
import { applyMetadata } from '../../permissions/index.ts';
import { type Config, parseConfig } from '../../server/config.ts';
import { resolveLogin } from '../../server/db/logins.ts';
import { prepareSidecarLogin } from '../../server/db/sidecar-login.ts';
import type { Part } from '../../server/serve-options.ts';
import { startServer } from '../../server/start-server.ts';
import type { TestDatabase } from './database.ts';

/** The platform's own metadata folder. */
export const platformMetadata = path.resolve(import.meta.dirname, '../../metadata');

/** A gateway in this process, on a port of its own. */
export interface TestServer {
  readonly url: string;
  readonly adminSecret: string;
  readonly config: Config;
  /** Applies a metadata folder as the owner; the server is told by Postgres. */
  apply(metadata: string): Promise<void>;
  /** A request to a path, e.g. `/healthz`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Posts an operation with the admin secret, in a role and with variables by header: `{ 'X-Gql-Role': … }`. */
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
  /** Default: the platform's. Applied before the server starts. */
  readonly metadata?: string;
  /** More environment, e.g. `{ ROWGATE_MAX_DEPTH: '3' }`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** False: does without the data API. */
  readonly graphql?: boolean;
  /** Serves the sidecar, too; the database is one of the platform. */
  readonly rest?: boolean;
  /** Delivers events, runs schedules and sends mail, too. */
  readonly worker?: boolean;
  /** Default: silent. */
  readonly logger?: pino.Logger;
}

/** Applies the metadata to the database and serves it, as `rowgate apply` and `rowgate serve` do. */
export async function startTestServer(options: TestServerOptions): Promise<TestServer> {
  const { database, metadata = platformMetadata, logger = pino({ level: 'silent' }) } = options;
  const dataDir = await mkdtemp(path.join(inject('scratch'), 'server-'));
  const adminSecret = 'a'.repeat(40);
  const { config } = parseConfig(
    {
      PORT: '0',
      DATABASE_URL: database.ownerUrl,
      ROWGATE_DATA_DIR: dataDir,
      ROWGATE_ADMIN_SECRET: adminSecret,
      // A look for drift costs as much as all the rest of a start.
      ROWGATE_DRIFT_INTERVAL: '0',
      ...(options.rest && { ROWGATE_SECRET_KEY: 's'.repeat(40) }),
      ...((options.rest || options.worker) && {
        ROWGATE_PLATFORM_ADMIN_SECRET: 'p'.repeat(40),
      }),
      ...options.environment,
    },
    dataDir,
  );
  const apply = (folder: string) => applyFolder(config, database, folder);
  await apply(metadata);
  if (options.rest || options.worker) await prepareSidecar(config, database);
  const parts: Part[] = options.graphql === false ? [] : ['graphql'];
  if (options.rest) parts.push('rest');
  if (options.worker) parts.push('worker');
  const server = await startServer(config, { metadata, parts: new Set(parts) }, logger);
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

async function prepareSidecar(config: Config, database: TestDatabase): Promise<void> {
  const owner = await database.connectOwner();
  try {
    const login = await resolveLogin(config, database.ownerUrl, 'sidecar');
    await prepareSidecarLogin(owner, login);
  } finally {
    await owner.end();
  }
}

async function applyFolder(
  config: Config,
  database: TestDatabase,
  metadata: string,
): Promise<void> {
  const { name, password } = await resolveLogin(config, database.ownerUrl, 'gateway');
  const { rolePrefix, headerPrefix } = config;
  const owner = await database.connectOwner();
  try {
    await applyMetadata(owner, { metadata, rolePrefix, headerPrefix, login: name, password });
  } finally {
    await owner.end();
  }
}
