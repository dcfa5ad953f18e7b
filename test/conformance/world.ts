import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { commands } from '../../permissions/index.ts';
import { type Config, parseConfig } from '../../server/config/config.ts';
import { withDatabase } from '../../server/db/url.ts';
import { makeCommandContext } from '../../server/start/make-command-context.ts';
import { serverParts } from '../../server/start/server-parts.ts';
import { type RunningServer, startServer } from '../../server/start/start-server.ts';
import type { SetUp, Step } from './case-file.ts';

/** The Postgres server for the databases of a run. */
export interface Site {
  /** A login that may create databases for the owner. */
  readonly adminUrl: string;
  /** URL of a login with CREATEROLE, which owns the databases. */
  readonly ownerUrl: string;
  /** Folder into which the run writes metadata and data. */
  readonly folder: string;
}

/** A response over HTTP. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The database of one set-up, and a server with the metadata of the set-up. */
export interface World {
  sql(statements: readonly string[]): Promise<void>;
  /** Imports other metadata, applies it and serves it. */
  deploy(metadata: unknown): Promise<void>;
  ask(step: Step): Promise<Answer>;
  close(): Promise<void>;
}

const headerPrefix = 'X-Hasura-';
const adminSecret = 'conformance'.repeat(4);
const answerTimeoutMs = 30_000;
const logger = pino({ level: 'silent' });

/** Statements that every set-up requires. */
const groundwork = [
  'create extension citext; create extension ltree; create extension pgcrypto',
  'create schema hge_tests',
];

/** Creates and fills the database of a set-up, and serves it. Throws the output of a failed command or statement. */
export async function makeWorld(setUp: SetUp, site: Site): Promise<World> {
  const key = randomBytes(6).toString('hex');
  const database = `conformance_${key}`;
  const folder = await mkdtemp(path.join(site.folder, 'world-'));
  const ownerUrl = withDatabase(site.ownerUrl, database);
  const config = configOf(setUp, { ownerUrl, folder, rolePrefix: `c${key}_` });
  let server: RunningServer | undefined;
  const world: World = {
    sql: (statements) => run(ownerUrl, statements),
    deploy: async (metadata) => {
      await server?.stop();
      server = undefined;
      const out = await importMetadata(config, folder, metadata);
      await command(config, 'apply', [], { metadata: out, yes: true });
      server = await startServer(config, { metadata: out, parts: new Set(['graphql']) }, logger);
    },
    ask: (step) => post(`${server?.url}${step.url}`, step),
    close: async () => {
      await server?.stop();
      // Roles belong to the whole cluster, and would remain after the database is dropped.
      await command(config, 'uninstall', [], { yes: true }).catch(() => {});
      await run(site.adminUrl, [`drop database if exists ${database} with (force)`]);
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    const owner = pg.escapeIdentifier(decodeURIComponent(new URL(ownerUrl).username));
    await run(site.adminUrl, [`create database ${database} template template0 owner ${owner}`]);
    await world.sql([...groundwork, ...setUp.sql]);
    await world.deploy(setUp.metadata);
    return world;
  } catch (error) {
    await world.close();
    throw error;
  }
}

function configOf(
  { env }: SetUp,
  { ownerUrl, folder, rolePrefix }: Readonly<Record<'ownerUrl' | 'folder' | 'rolePrefix', string>>,
): Config {
  const inferred = env.HASURA_GRAPHQL_INFER_FUNCTION_PERMISSIONS ?? 'true';
  const environment = {
    PORT: '0',
    DATABASE_URL: ownerUrl,
    ROWGATE_DATA_DIR: folder,
    ROWGATE_ADMIN_SECRET: adminSecret,
    ROWGATE_HEADER_PREFIX: headerPrefix,
    // The prefix is short: with the database name in it, the roles of some cases would have names that Postgres
    // refuses.
    ROWGATE_ROLE_PREFIX: rolePrefix,
    ROWGATE_STRINGIFY_NUMERIC_TYPES: 'true',
    ROWGATE_DRIFT_INTERVAL: '0',
    ROWGATE_INFER_FUNCTION_PERMISSIONS: inferred,
    // Hasura's community edition, from which the cases come, has no persisted queries.
    ROWGATE_PERSISTED_QUERY_BYTES: '0',
  };
  return parseConfig(environment, folder).config;
}

/** Runs `rowgate import hasura` on the metadata and returns the folder. */
async function importMetadata(config: Config, folder: string, metadata: unknown): Promise<string> {
  const work = await mkdtemp(path.join(folder, 'import-'));
  const file = path.join(work, 'hasura.json');
  const out = path.join(work, 'metadata');
  await writeFile(file, JSON.stringify(metadata));
  // A part that cannot be imported fails only the cases that need this part.
  await command(config, 'import hasura', [file], { out });
  return out;
}

/** Runs a command of the compiler. Throws its output when the exit code is not 0. */
async function command(
  config: Config,
  name: string,
  positionals: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const found = commands.find((one) => one.name === name);
  if (!found) throw new Error(`there is no command rowgate ${name}`);
  const printed: string[] = [];
  const open = makeCommandContext({ config, logger, ...serverParts });
  const print = (line: string) => void printed.push(line);
  const context = { ...open.context, confirm: undefined, print, printError: print };
  try {
    const exit = await found.run(options, positionals, context);
    if (exit !== 0) throw new Error(`rowgate ${name} ends with ${exit}: ${printed.join('; ')}`);
  } finally {
    await open.close();
  }
}

/** Runs statements unchanged, in UTC. */
async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function post(url: string, step: Step): Promise<Answer> {
  const given = Object.entries(step.headers ?? {}).map(([name, value]) => [name, String(value)]);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...Object.fromEntries(given),
      'Content-Type': 'application/json',
      [`${headerPrefix}Admin-Secret`]: adminSecret,
    },
    body: JSON.stringify(step.query),
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  return { status: response.status, text: await response.text() };
}
