import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Applied, applyMetadata } from '../../../permissions/apply/apply-metadata.ts';
import type { Applier } from '../../../permissions/apply/history/apply-history.ts';
import type { Diagnostic } from '../../../permissions/diagnostics.ts';
import { databaseFindings } from '../../../permissions/lint/database-findings.ts';
import { type Prepared, pinSettings, prepare } from '../../../permissions/plan/prepare.ts';
import type { Model } from '../../../permissions/types/model.ts';
import { withLogin } from '../../../server/db/url.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { asSuperuser } from '../../support/superuser.ts';
import { type Answer, askAs, type Caller } from './as-role.ts';
import { type MetadataFiles, overwriteMetadata, writeMetadata } from './metadata-files.ts';

const headerPrefix = 'X-Gql-';
const password = 'of a test';

/** The starting point of a test. */
export interface InstallationOptions {
  /** Default: `gateway`. */
  readonly from?: 'empty' | 'gateway' | 'platform';
  /** The owner runs these statements before the first apply. */
  readonly schema?: string;
  /** Files of the metadata folder, or the path of a folder. */
  readonly rules: MetadataFiles | string;
  /** Default: a random prefix, because roles belong to the whole cluster. */
  readonly prefix?: string;
}

/** A database and a metadata folder that can be applied to it. */
export interface Installation {
  readonly database: TestDatabase;
  readonly owner: pg.Client;
  readonly prefix: string;
  readonly metadata: string;
  apply(options?: {
    readonly agreed?: string;
    readonly login?: string;
    readonly attempts?: number;
    readonly lockSeconds?: number;
    readonly applier?: Applier;
  }): Promise<Applied>;
  /** Applies the rules. Returns the labels of the changes that were made. */
  applied(): Promise<readonly string[]>;
  /** Returns the plan that apply would run now. */
  prepare(): Promise<Prepared>;
  /** Returns the labels of the changes that apply would make now. */
  pending(): Promise<readonly string[]>;
  /** Returns the findings about the database. */
  findings(): Promise<readonly Diagnostic[]>;
  rewrite(files: MetadataFiles): Promise<void>;
  /** Opens a connection as the managed gateway login. */
  connectGateway(): Promise<pg.Client>;
  /** Opens a connection as any login, after a superuser has set its password. */
  connectAs(login: string): Promise<pg.Client>;
  /** Returns the rules of the metadata folder. Reads them only once, unless `rewrite` changes them. */
  model(): Promise<Model>;
  caller(role: string, variables?: Readonly<Record<string, string>>): Promise<Caller>;
  /** Runs one statement as a role of the metadata, and rolls it back. */
  ask(role: string, variables: Readonly<Record<string, string>>, sql: string): Promise<Answer>;
  /** Ends the connections that belong to this installation. */
  disconnect(): Promise<void>;
  drop(): Promise<void>;
}

/** Creates a database with a schema and a metadata folder. It applies nothing. */
export async function makeInstallation(options: InstallationOptions): Promise<Installation> {
  const database = await createDatabase({ from: options.from ?? 'gateway' });
  const { schema, prefix = `t${randomBytes(4).toString('hex')}_` } = options;
  const installation = await openInstallation(database, { rules: options.rules, prefix });
  if (schema !== undefined) await installation.owner.query(schema);
  return installation;
}

/** Connects to a database, and writes a metadata folder for it. */
export async function openInstallation(
  database: TestDatabase,
  { rules, prefix }: Required<Pick<InstallationOptions, 'rules' | 'prefix'>>,
): Promise<Installation> {
  const owner = await database.connectOwner();
  const metadata = typeof rules === 'string' ? rules : await writeMetadata(rules);
  const settings = { metadata, rolePrefix: prefix, headerPrefix };
  const clients: pg.Client[] = [];
  const connect = async (login: string): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: withLogin(database.ownerUrl, login, password),
    });
    clients.push(client);
    await client.connect();
    return client;
  };
  const look = async <T>(work: (prepared: Prepared) => Promise<T>): Promise<T> => {
    await owner.query('begin isolation level repeatable read read only');
    await owner.query(pinSettings);
    try {
      return await work(await prepare(owner, settings));
    } finally {
      await owner.query('rollback');
    }
  };
  let gateway: pg.Client | undefined;
  /** The rules of the files, once apply or a test has read them. */
  let model: Model | undefined;
  const made: Installation = {
    database,
    owner,
    prefix,
    metadata,
    // Without a password, because apply would try it on a new connection each time, and few tests need the login.
    apply: (more = {}) =>
      applyMetadata(owner, {
        ...settings,
        ...more,
        describe: async (_client, { loaded }) => {
          model = loaded.model;
          return [];
        },
      }),
    prepare: () => look(async (prepared) => prepared),
    applied: async () => labels(await made.apply()),
    pending: () => look(async (prepared) => labels(prepared)),
    findings: () => look((prepared) => databaseFindings(owner, prepared)),
    rewrite: (files) => {
      model = undefined;
      return overwriteMetadata(metadata, files);
    },
    connectGateway: () => made.connectAs(`${prefix}gateway_login`),
    connectAs: async (login) => {
      await asSuperuser(`alter role ${pg.escapeIdentifier(login)} password '${password}'`);
      return connect(login);
    },
    model: async () => {
      model ??= (await made.prepare()).loaded.model;
      return model;
    },
    caller: async (role, variables = {}) => {
      const { variables: known } = await made.model();
      return { role: `${prefix}${role}`, variables, known };
    },
    ask: async (role, variables, sql) => {
      gateway ??= await made.connectGateway();
      return askAs(gateway, await made.caller(role, variables), sql);
    },
    disconnect: async () => {
      await Promise.allSettled([owner, ...clients].map((client) => client.end()));
    },
    drop: async () => {
      await made.disconnect();
      await database.drop();
    },
  };
  return made;
}

const labels = ({ plan }: Pick<Applied, 'plan'>) =>
  plan.changes.map((one) => `${one.action} ${one.label}`);

/** Does the same as makeInstallation, and applies the rules. */
export async function install(options: InstallationOptions): Promise<Installation> {
  const installation = await makeInstallation(options);
  await installation.apply();
  return installation;
}
