import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Applied, applyMetadata } from '../../../permissions/apply/apply-metadata.ts';
import type { Diagnostic } from '../../../permissions/diagnostics.ts';
import { databaseFindings } from '../../../permissions/lint/database-findings.ts';
import { type Prepared, pinSettings, prepare } from '../../../permissions/plan/prepare.ts';
import { withLogin } from '../../../server/db/url.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { type Answer, askAs, type Caller } from './as-role.ts';
import { type MetadataFiles, overwriteMetadata, writeMetadata } from './metadata-files.ts';

const headerPrefix = 'X-Gql-';
const password = 'of a test';

/** What a test wants to stand on. */
export interface InstallationOptions {
  /** Default `gateway`. */
  readonly from?: 'empty' | 'gateway' | 'platform';
  /** Run by the owner before anything is applied. */
  readonly schema?: string;
  /** Files of the metadata folder, or the path of one. */
  readonly rules: MetadataFiles | string;
  /** Roles belong to the whole cluster, so the default is a prefix of its own. */
  readonly prefix?: string;
}

/** A database with rules, ready to be applied. */
export interface Installation {
  readonly database: TestDatabase;
  readonly owner: pg.Client;
  readonly prefix: string;
  readonly metadata: string;
  apply(options?: {
    readonly agreed?: string;
    readonly login?: string;
    readonly attempts?: number;
  }): Promise<Applied>;
  /** Labels of what apply found to change, and has changed. */
  applied(): Promise<readonly string[]>;
  /** What apply would do now. */
  prepare(): Promise<Prepared>;
  /** Labels of what apply would change now. */
  pending(): Promise<readonly string[]>;
  /** What of the database forbids applying or deserves a warning. */
  findings(): Promise<readonly Diagnostic[]>;
  rewrite(files: MetadataFiles): Promise<void>;
  /** A connection as the managed gateway login. */
  connectGateway(): Promise<pg.Client>;
  /** A connection as any login; a superuser gives it the password first. */
  connectAs(login: string): Promise<pg.Client>;
  caller(role: string, variables?: Readonly<Record<string, string>>): Promise<Caller>;
  /** One statement as a role of the metadata, rolled back. */
  ask(role: string, variables: Readonly<Record<string, string>>, sql: string): Promise<Answer>;
  drop(): Promise<void>;
}

/** Makes a database with a schema and a metadata folder; nothing is applied yet. */
export async function makeInstallation(options: InstallationOptions): Promise<Installation> {
  const database = await createDatabase({ from: options.from ?? 'gateway' });
  const owner = await database.connectOwner();
  if (options.schema !== undefined) await owner.query(options.schema);
  const { rules } = options;
  const metadata = typeof rules === 'string' ? rules : await writeMetadata(rules);
  const prefix = options.prefix ?? `t${randomBytes(4).toString('hex')}_`;
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
  let known: readonly string[] | undefined;
  const made: Installation = {
    database,
    owner,
    prefix,
    metadata,
    apply: (more = {}) => applyMetadata(owner, { ...settings, password, ...more }),
    prepare: () => look(async (prepared) => prepared),
    applied: async () => labels(await made.apply()),
    pending: () => look(async (prepared) => labels(prepared)),
    findings: () => look((prepared) => databaseFindings(owner, prepared)),
    rewrite: (files) => {
      known = undefined;
      return overwriteMetadata(metadata, files);
    },
    connectGateway: () => connect(`${prefix}gateway_login`),
    connectAs: async (login) => {
      const superuser = await database.connectSuperuser();
      await superuser.query(`alter role ${pg.escapeIdentifier(login)} password '${password}'`);
      return connect(login);
    },
    caller: async (role, variables = {}) => {
      known ??= (await made.prepare()).loaded.model.variables;
      return { role: `${prefix}${role}`, variables, known };
    },
    ask: async (role, variables, sql) => {
      gateway ??= await made.connectGateway();
      return askAs(gateway, await made.caller(role, variables), sql);
    },
    drop: async () => {
      await Promise.allSettled(clients.map((client) => client.end()));
      await database.drop();
    },
  };
  return made;
}

const labels = ({ plan }: Pick<Applied, 'plan'>) =>
  plan.changes.map((one) => `${one.action} ${one.label}`);

/** The same with the rules applied. */
export async function install(options: InstallationOptions): Promise<Installation> {
  const installation = await makeInstallation(options);
  await installation.apply();
  return installation;
}
