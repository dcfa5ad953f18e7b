import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import pg from 'pg';
import pino from 'pino';
import { type Applied, applyMetadata, loadModel } from '../../../../permissions/index.ts';
import { type ActionServices, actionSource } from '../../../../server/actions/action-source.ts';
import {
  adminSecretAuthenticator,
  unauthorizedAuthenticator,
} from '../../../../server/caller/authenticate.ts';
import { type Config, parseConfig } from '../../../../server/config/config.ts';
import { withConnection } from '../../../../server/db/connection.ts';
import { withLogin } from '../../../../server/db/url.ts';
import type { OpenOtherDialect } from '../../../../server/graphql/other-dialect.ts';
import { type GraphqlService, makeGraphqlService } from '../../../../server/graphql/service.ts';
import {
  ChangeReader,
  type ChangeReaderOptions,
} from '../../../../server/graphql/subscriptions/changes/change-reader.ts';
import type { ChangeSource } from '../../../../server/graphql/subscriptions/changes/changes.ts';
import { Sockets } from '../../../../server/graphql/transport/websocket/sockets.ts';
import { makeApp } from '../../../../server/http/app.ts';
import { asUpgradeRequest } from '../../../../server/http/connections/upgrade-request.ts';
import { makeListener } from '../../../../server/http/direct.ts';
import { openPostGraphile } from '../../../../server/postgraphile/open-dialect.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';
import { nameOf } from '../../../support/template.ts';
import { startFlightProxy } from './flight-proxy.ts';
import { metadata } from './metadata.ts';

export const secret = 'a-secret-of-at-least-32-characters!!';
export const one = '00000000-0000-4000-8000-000000000001';
export const two = '00000000-0000-4000-8000-000000000002';

export interface GatewayOptions {
  readonly config?: Partial<Config>;
  /** Replaces the default test schema. */
  readonly schema?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * Whether the file shares its Postgres roles with other files, and so neither applies rules nor changes roles.
   * Default: true for the default schema and metadata, which many files use.
   */
  readonly sharesRoles?: boolean;
  /** The role of requests without any credentials. */
  readonly unauthorizedRole?: string;
  /** True if the gateway connects to Postgres through a proxy, which counts round trips and can drop answers. */
  readonly proxied?: boolean;
  /** The services by which the gateway calls the handlers of actions. */
  readonly actions?: Omit<ActionServices, 'logger'>;
  /** Sources of extension fields. By default those of graphile.yaml and actions.yaml. */
  readonly openOther?: OpenOtherDialect;
  /** An empty database for schema and rules; by default a new one. `stop` drops it. */
  readonly database?: TestDatabase;
  /** Makes the reader of changes of live tables. */
  readonly changes?: (options: ChangeReaderOptions) => ChangeSource;
}

/** Options of a test's request. `role` and `variables` (session variables) become headers. */
export interface Ask {
  readonly role?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** The variables of the GraphQL document. */
  readonly with?: unknown;
  readonly operationName?: string;
}

/** A running gateway with its own database. */
export interface Gateway {
  readonly url: string;
  readonly database: TestDatabase;
  /** Prefix of the Postgres roles. */
  readonly rolePrefix: string;
  readonly gatewayUrl: string;
  /** The settings of the server. */
  readonly config: Config;
  /** Path of the metadata folder. */
  readonly folder: string;
  readonly log: readonly string[];
  /** Number of round trips to Postgres so far, if a proxy counts them. */
  flights(): number;
  /** With a proxy: drops all answers of Postgres until the returned function closes the connections. */
  loseAnswers(): () => void;
  /** Sends a query and returns the parsed response. */
  ask(query: string, ask?: Ask): Promise<Answer>;
  /** Sends any body with any headers. */
  send(init: RequestInit, path?: string): Promise<Response>;
  reload(): Promise<void>;
  readonly service: Pick<GraphqlService, 'reload' | 'hasOtherEnums' | 'dialect'>;
  /** Writes metadata files. They take effect after `apply` and `reload`. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  apply(): Promise<Applied>;
  /** Ends all subscriptions and sockets, as a server that stops. */
  drain(): Promise<void>;
  /** Starts another server with other settings on the same database and metadata; `stop` also ends this server. */
  beside(config: Partial<Config>): Promise<Pick<Gateway, 'url' | 'send' | 'ask'>>;
  stop(): Promise<void>;
}

export interface Answer {
  // A response's data has whatever shape the test asked for.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly data?: any;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: { readonly code: string; readonly path: string };
  }[];
}

/** Applies schema and metadata to a new database and serves it over HTTP. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-graphql-'));
  const rules = options.metadata ?? metadata;
  await writeFiles(folder, rules);
  const schema = options.schema ?? (await testSchema());
  const { sharesRoles = !options.schema && !options.metadata } = options;
  const { database, rolePrefix } = sharesRoles
    ? await cloneApplied(schema, rules, folder)
    : await applyTo(
        options.database ?? (await createDatabase({ from: 'gateway' })),
        schema,
        folder,
      );
  const naming = { metadata: folder, headerPrefix: 'X-Gql-', rolePrefix };
  const apply = async () => {
    if (sharesRoles) throw new Error('other files share the roles; set sharesRoles: false');
    return withConnection(database.ownerUrl, (owner) =>
      applyMetadata(owner, { ...naming, password }),
    );
  };
  const login = `${rolePrefix}gateway_login`;
  const direct = withLogin(database.ownerUrl, login, password);
  const proxy = options.proxied ? await startFlightProxy(direct) : undefined;
  const gatewayUrl = proxy?.url ?? direct;
  const log: string[] = [];
  const { actions, openOther, unauthorizedRole } = options;
  const { changes = (reading) => new ChangeReader(reading) } = options;
  const closing: (() => Promise<void>)[] = [];
  const logger = pino({ level: 'info' }, { write: (line) => void log.push(line) });
  const serve = async (config: Partial<Config>) => {
    const service = await makeGraphqlService({
      schemes: [],
      config: { ...parseConfig({}, tmpdir()).config, ...config },
      gatewayUrl,
      openOther:
        openOther ?? openPostGraphile(actions ? [actionSource({ ...actions, logger })] : []),
      authenticators: [
        adminSecretAuthenticator(secret),
        ...(unauthorizedRole === undefined ? [] : [unauthorizedAuthenticator(unauthorizedRole)]),
      ],
      loadModel: () => loadAs(gatewayUrl, naming),
      changes: changes({ url: async () => direct, logger }),
      logger,
    });
    const server = await listen(service, config);
    closing.push(server.close, () => service.close());
    return { service, drain: server.drain, client: makeClient(server.url) };
  };
  const { service, drain, client } = await serve(options.config ?? {});
  return {
    config: { ...parseConfig({}, tmpdir()).config, ...options.config },
    ...{ ...client, database, rolePrefix, gatewayUrl, folder, log, apply },
    beside: async (config) => (await serve(config)).client,
    flights: () => proxy?.flights() ?? 0,
    loseAnswers: () => proxy?.loseAnswers() ?? (() => {}),
    reload: () => service.reload(),
    drain,
    service,
    write: (files) => writeFiles(folder, files),
    stop: async () => {
      for (const close of closing) await close();
      proxy?.close();
      await rm(folder, { recursive: true });
      await database.drop();
    },
  };
}

const password = 'gateway-password-for-tests';

/** A database to which rules are applied. */
interface Served {
  readonly database: TestDatabase;
  readonly rolePrefix: string;
}

async function applyTo(database: TestDatabase, schema: string, folder: string): Promise<Served> {
  const rolePrefix = `rowgate_${database.name}_`;
  await fill(database.ownerUrl, schema, { folder, rolePrefix });
  return { database, rolePrefix };
}

/** Clones a database to which the same schema and metadata are applied already. */
async function cloneApplied(schema: string, rules: object, folder: string): Promise<Served> {
  const name = nameOf([schema, rules]);
  const rolePrefix = `${name}_`;
  const database = await createDatabase({
    from: { name, fill: (ownerUrl) => fill(ownerUrl, schema, { folder, rolePrefix }) },
  });
  return { database, rolePrefix };
}

async function fill(
  ownerUrl: string,
  schema: string,
  { folder, rolePrefix }: { readonly folder: string; readonly rolePrefix: string },
): Promise<void> {
  await withConnection(ownerUrl, async (owner) => {
    await owner.query(schema);
    const naming = { metadata: folder, headerPrefix: 'X-Gql-', rolePrefix };
    await applyMetadata(owner, { ...naming, password });
  });
}

async function listen(service: GraphqlService, config: Partial<Config>) {
  const { app, listener, logger, whole } = listenerOf(service, config);
  const server = createServer(listener);
  const origins = new Set<string>();
  const sockets = new Sockets({
    dialect: () => service.dialect(),
    ...{ readSession: undefined, credentialHeaders: ['x-gql-admin-secret'], logger },
    ...{ limits: whole.sockets, messageBytes: whole.limits.bodyBytes, registry: undefined },
    ...{ origins, subscriptions: service.subscriptions },
    maxSubscriptions: whole.subscriptions.maxPerSocket,
  });
  server.on('upgrade', (request, socket, head) =>
    sockets.open(asUpgradeRequest(app, request), socket, head),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  origins.add(url);
  return {
    url,
    drain: () => {
      service.subscriptions.drain();
      return sockets.drain(1000);
    },
    close: async () => {
      service.subscriptions.drain();
      await sockets.drain(0);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listenerOf(service: GraphqlService, given: Partial<Config>) {
  // The log that tests read contains no lines of requests.
  const logger = pino({ level: 'silent' });
  const config = { ...parseConfig({}, tmpdir()).config, ...given };
  const routes = express.Router();
  const app = makeApp({ config, logger, phase: () => 'serving', service: [], routes });
  const listener = makeListener({ app, direct: () => service, config, logger });
  return { app, listener, logger, whole: config };
}

function makeClient(url: string): Pick<Gateway, 'url' | 'send' | 'ask'> {
  const send: Gateway['send'] = (init, place = '/v1/graphql') =>
    fetch(`${url}${place}`, { method: 'POST', ...init });
  const ask: Gateway['ask'] = async (query, given = {}) => {
    const body = { query, variables: given.with, operationName: given.operationName };
    const init = { headers: headersOf(given), body: JSON.stringify(body) };
    return (await send(init)).json() as Promise<Answer>;
  };
  return { url, send, ask };
}

/** Returns the headers of a request in a role; without a role, of the admin. */
export function headersOf({ role, variables }: Ask): Record<string, string> {
  const entries = Object.entries(variables ?? {}).map(([name, value]) => [`X-Gql-${name}`, value]);
  return {
    'content-type': 'application/json',
    'X-Gql-Admin-Secret': secret,
    ...(role !== undefined && { 'X-Gql-Role': role }),
    ...Object.fromEntries(entries),
  };
}

/** Returns a request in the role `member`, as a member of the given organization. */
export function memberOf(organization: string): Ask {
  return { role: 'member', variables: { 'Organization-Id': organization } };
}

function testSchema(): Promise<string> {
  return readFile(path.join(import.meta.dirname, 'schema.sql'), 'utf8');
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(path.join(folder, 'tables'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

async function loadAs(
  connectionString: string,
  naming: { readonly metadata: string; readonly headerPrefix: string },
) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await loadModel({ ...naming, client });
  } finally {
    await client.end();
  }
}
