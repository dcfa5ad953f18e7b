import path from 'node:path';
import { defaultMetadata, didYouMean } from '../../permissions/index.ts';
import { ProcessError } from '../errors.ts';
import { type CallerConfig, readCallerConfig } from './caller-config.ts';
import { type Environment, EnvironmentReader } from './environment.ts';
import { type EventConfig, readEventConfig } from './event-config.ts';
import { type MailConfig, readMailConfig } from './mail-config.ts';
import { type OperationConfig, readOperationConfig } from './operation-config.ts';
import { readSocketConfig, type SocketConfig } from './socket-config.ts';
import { readStorageConfig, type StorageConfig } from './storage-config.ts';
import { readSubscriptionConfig, type SubscriptionConfig } from './subscription-config.ts';

/** The limits of one request, and of the memory for answers. */
export interface Limits {
  /** Maximum size of a request body, in bytes; default 1 MiB. */
  readonly bodyBytes: number;
  /** Maximum depth of fields in a GraphQL document; default 15. */
  readonly depth: number;
  /**
   * Maximum relationships, aggregates and computed fields that the conditions and orderings of one operation follow;
   * default 50.
   */
  readonly crossings: number;
  /** Maximum tables that one operation reads, including tables in its permission rules; default 500. */
  readonly tables: number;
  /** Maximum operations in one batch; default 10. */
  readonly batch: number;
  /** The statement timeout of Postgres, in milliseconds; default 15000. */
  readonly statementTimeoutMs: number;
  /** Maximum rows of one field; default 10000. */
  readonly rows: number;
  /** Maximum size of one operation's answer, in bytes; default 16 MiB. */
  readonly responseBytes: number;
  /** Maximum bytes of all answers in memory; default 64 MiB, or four answers of the maximum size. */
  readonly answerMemoryBytes: number;
  /** Maximum wait of a request for a database connection, in milliseconds; default 5000. */
  readonly maxWaitMs: number;
}

/** The database: an embedded Postgres that Rowgate starts, or a Postgres at configured URLs. */
export type DatabaseConfig =
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'given';
      /**
       * The URL of the owner, a login with CREATEROLE that is not a superuser, for migrate and apply. Absent when the
       * process only serves.
       */
      readonly ownerUrl: string | undefined;
      /**
       * The URL of the gateway login, which serves the data API. Absent: `<prefix>gateway_login` with the password from
       * the data folder.
       */
      readonly gatewayUrl: string | undefined;
      /**
       * The URL of the sidecar login, with which the server accesses everything except the data API. Absent:
       * `<prefix>sidecar_login`, which migrate creates.
       */
      readonly sidecarUrl: string | undefined;
      /** A URL for LISTEN that bypasses a pooler. Absent: the gateway's URL. */
      readonly directUrl: string | undefined;
    };

/** The validated configuration from the environment. */
export interface Config {
  /** The address to listen on; default 127.0.0.1. */
  readonly host: string;
  /** The port to listen on; default 5678. 0 selects a free port. */
  readonly port: number;
  /** An absolute path; default `.rowgate` in the current folder. */
  readonly dataDir: string;
  /** The public URL of the server, without a slash at its end; default `http://<host>:<port>`. */
  readonly baseUrl: string;
  /** Whether NODE_ENV is `production`. */
  readonly production: boolean;
  /** Whether to serve the GraphQL explorer; default: only outside production. */
  readonly explorer: boolean;
  /** Whether to serve the console; default: only outside production. */
  readonly console: boolean;
  /** Whether uses of the console may change something that lasts; default: only outside production. */
  readonly consoleWrites: boolean;
  /** A log level of pino; default info. */
  readonly logLevel: string;
  /** The share of successful, quick requests that are logged, in percent; default 100. */
  readonly loggedPercent: number;
  readonly database: DatabaseConfig;
  readonly callers: CallerConfig;
  readonly storage: StorageConfig;
  readonly mail: MailConfig;
  readonly events: EventConfig;
  /** At least 32 characters. Absent: generated with the embedded database. */
  readonly adminSecret: string | undefined;
  /** The prefix of the headers for role, admin secret and session variables; default `X-Gql-`. */
  readonly headerPrefix: string;
  /** The prefix of Postgres role names; default `rowgate_<database>_`. */
  readonly rolePrefix: string | undefined;
  /** Whether answers contain bigint and numeric values as strings; default false. */
  readonly stringifyNumericTypes: boolean;
  /** Whether a role that may select the result of a query function may call that function; default false. */
  readonly inferFunctionPermissions: boolean;
  readonly limits: Limits;
  readonly operations: OperationConfig;
  readonly sockets: SocketConfig;
  readonly subscriptions: SubscriptionConfig;
  /** Maximum client connections, including WebSockets; default 4000. */
  readonly maxConnections: number;
  /** Maximum database connections for requests; default 10. */
  readonly poolSize: number;
  /** Seconds between two checks for drift; default 60. 0 disables the checks. */
  readonly driftInterval: number;
  /** The person or program that the history of `apply` names; default: the user of the operating system. */
  readonly actor: string | undefined;
}

const mebibyte = 1024 * 1024;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const defaults = {
  host: '127.0.0.1',
  port: 5678,
  dataDir: '.rowgate',
  logLevel: 'info',
  loggedPercent: 100,
  headerPrefix: 'X-Gql-',
  stringifyNumericTypes: false,
  inferFunctionPermissions: false,
  limits: {
    bodyBytes: mebibyte,
    depth: 15,
    crossings: 50,
    tables: 500,
    batch: 10,
    statementTimeoutMs: 15_000,
    rows: 10_000,
    responseBytes: 16 * mebibyte,
    answerMemoryBytes: 64 * mebibyte,
    maxWaitMs: 5000,
  },
  maxConnections: 4000,
  poolSize: 10,
  driftInterval: 60,
} as const satisfies Partial<Config>;

/** Reads the settings of an application from the environment. */
export interface SettingsReader<Settings> {
  /**
   * Reads the settings. Problems are collected in the reader, so that all are reported together. Relative paths start
   * at `folder`.
   */
  readSettings(
    read: EnvironmentReader,
    given: { readonly config: Config; readonly folder: string },
  ): Settings;
}

/** The settings of the gateway and of its application. */
export interface LoadedConfig<Settings> {
  readonly config: Config;
  /** The application's settings; undefined without an application. */
  readonly settings: Settings | undefined;
  readonly warnings: readonly string[];
}

/** Returns the metadata folder for commands without `--metadata`. It is read first, because it names the application. */
export function metadataFolder(environment: Environment = process.env): string {
  return new EnvironmentReader(environment).text('ROWGATE_METADATA') ?? defaultMetadata;
}

/** Reads the configuration of this process. @throws ProcessError RG_CONFIG like `parseConfig` */
export function loadConfig<Settings>(
  application?: SettingsReader<Settings>,
): LoadedConfig<Settings> {
  return parseConfig(process.env, process.cwd(), application);
}

/**
 * Reads and validates an environment. An empty variable counts as not set. Relative paths start at `folder`.
 * @throws ProcessError RG_CONFIG (exit 2) that names all problems and contains no secret
 */
export function parseConfig<Settings>(
  environment: Environment,
  folder: string,
  application?: SettingsReader<Settings>,
): LoadedConfig<Settings> {
  const read = new EnvironmentReader(environment);
  const config = readConfig(read, folder);
  const settings = application?.readSettings(read, { config, folder });
  if (read.problems.length > 0) {
    throw new ProcessError('RG_CONFIG', `the environment cannot be used:\n${bullets(read)}`, {
      exitCode: 2,
    });
  }
  return { config, settings, warnings: unknownVariables(environment, read.names) };
}

/** Reads the settings of the gateway. Problems are collected in `read`, so that all are reported together. */
export function readConfig(read: EnvironmentReader, folder: string): Config {
  // `metadataFolder` uses the value. Here it only becomes a known variable.
  read.text('ROWGATE_METADATA');
  const production = read.text('NODE_ENV') === 'production';
  const host = read.text('HOST') ?? defaults.host;
  const port = read.integer('PORT', 0, 65_535) ?? defaults.port;
  const dataDir = path.resolve(folder, read.text('ROWGATE_DATA_DIR') ?? defaults.dataDir);
  const baseUrl = read.webUrl('ROWGATE_BASE_URL') ?? `http://${urlHost(host)}:${port}`;
  const database = readDatabase(read);
  const embedded = database.kind === 'embedded';
  const headerPrefix =
    read.pattern('ROWGATE_HEADER_PREFIX', /^[A-Za-z][A-Za-z0-9-]{0,40}-$/, 'like X-Gql-') ??
    defaults.headerPrefix;
  const poolSize = read.integer('ROWGATE_POOL_SIZE', 1, 1000) ?? defaults.poolSize;
  return {
    host,
    port,
    dataDir,
    baseUrl,
    production,
    explorer: read.flag('ROWGATE_EXPLORER') ?? !production,
    console: read.flag('ROWGATE_CONSOLE') ?? !production,
    consoleWrites: read.flag('ROWGATE_CONSOLE_WRITES') ?? !production,
    ...readLog(read),
    database,
    callers: readCallerConfig(read, headerPrefix),
    storage: readStorageConfig(read, dataDir),
    mail: readMailConfig(read, { dataDir, baseUrl, embedded }),
    events: readEventConfig(read),
    adminSecret: read.secret('ROWGATE_ADMIN_SECRET', 32),
    headerPrefix,
    rolePrefix: read.pattern(
      'ROWGATE_ROLE_PREFIX',
      /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/,
      'at most 40 lower-case letters, digits and underscores, not starting with a digit or pg_',
    ),
    stringifyNumericTypes:
      read.flag('ROWGATE_STRINGIFY_NUMERIC_TYPES') ?? defaults.stringifyNumericTypes,
    inferFunctionPermissions:
      read.flag('ROWGATE_INFER_FUNCTION_PERMISSIONS') ?? defaults.inferFunctionPermissions,
    limits: readLimits(read),
    operations: readOperationConfig(read),
    sockets: readSocketConfig(read, poolSize),
    subscriptions: readSubscriptionConfig(read),
    maxConnections:
      read.integer('ROWGATE_MAX_CONNECTIONS', 1, 1_000_000) ?? defaults.maxConnections,
    poolSize,
    driftInterval: read.integer('ROWGATE_DRIFT_INTERVAL', 0, 86_400) ?? defaults.driftInterval,
    actor: read.text('ROWGATE_ACTOR'),
  };
}

function readLog(read: EnvironmentReader): Pick<Config, 'logLevel' | 'loggedPercent'> {
  const logLevel = read.choice('ROWGATE_LOG_LEVEL', logLevels) ?? defaults.logLevel;
  const percent = read.integer('ROWGATE_LOG_REQUESTS', 0, 100);
  if (percent !== undefined && !['info', 'debug', 'trace'].includes(logLevel)) {
    const problem = `has no effect, because ROWGATE_LOG_LEVEL is ${logLevel}`;
    read.complain('ROWGATE_LOG_REQUESTS', `${problem}; leave it out, or log from info on`);
  }
  return { logLevel, loggedPercent: percent ?? defaults.loggedPercent };
}

function readDatabase(read: EnvironmentReader): DatabaseConfig {
  const ownerUrl = read.databaseUrl('DATABASE_URL');
  const gatewayUrl = read.databaseUrl('ROWGATE_GATEWAY_DATABASE_URL');
  const sidecarUrl = read.databaseUrl('ROWGATE_SIDECAR_DATABASE_URL');
  const directUrl = read.databaseUrl('DATABASE_DIRECT_URL');
  if (ownerUrl ?? gatewayUrl) return { kind: 'given', ownerUrl, gatewayUrl, sidecarUrl, directUrl };
  if (sidecarUrl) read.complain('ROWGATE_SIDECAR_DATABASE_URL', 'also requires DATABASE_URL');
  if (directUrl) read.complain('DATABASE_DIRECT_URL', 'also requires DATABASE_URL');
  return { kind: 'embedded' };
}

function readLimits(read: EnvironmentReader): Limits {
  const { limits } = defaults;
  const responseBytes =
    read.integer('ROWGATE_MAX_RESPONSE_BYTES', 1024, 256 * mebibyte) ?? limits.responseBytes;
  return {
    bodyBytes: read.integer('ROWGATE_MAX_BODY_BYTES', 1024, 1024 * mebibyte) ?? limits.bodyBytes,
    depth: read.integer('ROWGATE_MAX_DEPTH', 1, 1000) ?? limits.depth,
    crossings: read.integer('ROWGATE_MAX_CROSSINGS', 1, 10_000) ?? limits.crossings,
    tables: read.integer('ROWGATE_MAX_TABLES', 1, 100_000) ?? limits.tables,
    batch: read.integer('ROWGATE_MAX_BATCH', 1, 1000) ?? limits.batch,
    statementTimeoutMs:
      read.integer('ROWGATE_STATEMENT_TIMEOUT_MS', 1, 3_600_000) ?? limits.statementTimeoutMs,
    rows: read.integer('ROWGATE_MAX_ROWS', 1, 100_000_000) ?? limits.rows,
    responseBytes,
    // One caller may use half of this memory, so half must be enough for an answer of the maximum size.
    answerMemoryBytes:
      read.integer('ROWGATE_ANSWER_MEMORY_BYTES', 2 * responseBytes, 16 * 1024 * mebibyte) ??
      Math.max(limits.answerMemoryBytes, 4 * responseBytes),
    maxWaitMs: read.integer('ROWGATE_MAX_WAIT_MS', 1, 600_000) ?? limits.maxWaitMs,
  };
}

/** Returns the host for a URL that a client on this machine can use. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function unknownVariables(environment: Environment, known: ReadonlySet<string>): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('ROWGATE_') && !known.has(name))
    .map((name) => {
      const hint = didYouMean(name, known);
      return `${name} is an unknown variable${hint ? `; ${hint}` : ''}`;
    });
}

function bullets(read: EnvironmentReader): string {
  return read.problems.map((problem) => `  ${problem}`).join('\n');
}
