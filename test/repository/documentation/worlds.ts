import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { serveOptions } from '../../../server/config/serve-options.ts';
import {
  appliedEnvironment,
  adminSecret as secret,
  start,
} from '../../server/cli/support/start.ts';
import { runCommand } from '../../support/command-line.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase } from '../../support/database.ts';
import { root } from '../../support/documentation.ts';
import { platformMetadata } from '../../support/http.ts';
import { endPrograms } from '../../support/program.ts';
import { compileCache, program, serveRowgate } from '../../support/rowgate.ts';
import type { WorldKind } from './blocks.ts';
import { serveCommands } from './command-server.ts';

const commandClient = path.join(import.meta.dirname, 'command-client.ts');

/** A folder, a database and a server in which the examples of a page run. */
export interface World {
  readonly folder: string;
  /** Environment of the commands. `export` in an example adds variables to it. */
  readonly environment: Record<string, string>;
  readonly adminSecret: () => string;
  readonly ownerUrl: string | undefined;
  /** Records that a file of the metadata has changed, so that `apply` applies it. */
  changed(): void;
  /** Applies the changed metadata. */
  apply(): Promise<void>;
  /** Starts the server if it is not running. Returns the URL of the server. @param args options of `rowgate serve` */
  serve(args?: readonly string[]): Promise<string>;
  /** Returns the log of the server, if the server is a separate process. */
  log(): string;
  end(): Promise<void>;
}

/** @param startsProgram whether commands and the server of an own database are programs of their own, as for a reader */
export function openWorld(kind: WorldKind, startsProgram: boolean): Promise<World> {
  if (kind === 'own database') return openOwnDatabase(startsProgram);
  return kind === 'platform' ? openPlatform() : openDemoServer();
}

/** An empty database, with a metadata folder that the page writes. */
async function openOwnDatabase(startsProgram: boolean): Promise<World> {
  const folder = await makeDataFolder();
  const database = await createDatabase();
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const metadata = path.join(folder, 'metadata');
  const socket = path.join(folder, '.commands');
  const commands = startsProgram ? undefined : await serveCommands(socket);
  const environment = {
    ...(await commandEnvironment(folder, startsProgram ? [program] : [commandClient, socket])),
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: path.join(folder, '.rowgate'),
    ROWGATE_ADMIN_SECRET: secret,
    SECRET: secret,
  };
  const serve = startsProgram ? serveProgram : serveHere;
  let isChanged = false;
  let served: OwnServer | undefined;
  const apply = async () => {
    if (!isChanged) return;
    const args = ['apply', '--yes', '--metadata', metadata];
    const { code, stdout, stderr } = await runCommand(args, environment);
    if (code !== 0) throw new Error(`apply ends with ${code}: ${stdout}${stderr}`);
    isChanged = false;
    await served?.stop();
    served = undefined;
  };
  return {
    folder,
    environment,
    adminSecret: () => secret,
    ownerUrl: database.ownerUrl,
    changed: () => {
      isChanged = true;
    },
    apply,
    serve: async (args = ['--only', 'graphql']) => {
      await apply();
      const { values } = parseArgs({ args: [...args], options: serveOptions });
      served ??= await serve(environment, { ...values, metadata });
      return served.url;
    },
    log: () => served?.log() ?? '',
    end: async () => {
      await served?.stop();
      commands?.close();
      await endPrograms();
      await removeFolders();
      await database.drop();
    },
  };
}

/** The server of an own database. */
interface OwnServer {
  readonly url: string;
  readonly log: () => string;
  stop(): Promise<unknown>;
}

type ServeOptions = Readonly<Record<string, string>>;

async function serveProgram(
  environment: Readonly<Record<string, string>>,
  options: ServeOptions,
): Promise<OwnServer> {
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const served = await serveRowgate(environment, args);
  return {
    url: served.url,
    log: () => served.stdout() + served.stderr(),
    stop: () => served.end(),
  };
}

/** A server in this process starts several times faster than the program. */
async function serveHere(
  environment: Readonly<Record<string, string>>,
  options: ServeOptions,
): Promise<OwnServer> {
  return { ...(await start(environment, options)), log: () => '' };
}

/** The secret with which the examples sign the callbacks of cards. */
const cardSecret = { ROWGATE_CARD_WEBHOOK_SECRET: 'c'.repeat(32) };

/** The platform with its demo data and rules, in a database of the tests' cluster. */
async function openPlatform(): Promise<World> {
  const database = await createDatabase({ from: 'applied' });
  const folder = await makeDataFolder();
  const settings = { ...(await appliedEnvironment(database)), ...cardSecret };
  const served = await start(settings);
  const environment = { ...(await commandEnvironment(folder)), ...settings, SECRET: secret };
  await cp(platformMetadata, path.join(folder, 'metadata'), { recursive: true });
  return {
    ...{ folder, environment, adminSecret: () => secret, ownerUrl: database.ownerUrl },
    ...{ changed: () => {}, apply: async () => {}, log: () => '' },
    serve: async () => served.url,
    end: async () => {
      await served.stop();
      await removeFolders();
      await database.drop();
    },
  };
}

/** `npm start` in a new checkout: the embedded Postgres with the platform and its demo data. */
async function openDemoServer(): Promise<World> {
  const folder = await makeDataFolder();
  await cp(platformMetadata, path.join(folder, 'metadata'), { recursive: true });
  const ROWGATE_DATA_DIR = path.join(folder, '.rowgate');
  const served = await start({ ROWGATE_DATA_DIR });
  const environment = await commandEnvironment(folder);
  const adminSecret = () =>
    readFileSync(path.join(ROWGATE_DATA_DIR, 'admin-secret'), 'utf8').trim();
  return {
    ...{ folder, environment, adminSecret, ownerUrl: undefined },
    ...{ changed: () => {}, apply: async () => {}, log: () => '' },
    serve: async () => served.url,
    end: async () => {
      await served.stop();
      await removeFolders();
    },
  };
}

/**
 * Makes `rowgate` and `npx rowgate` run this checkout, and `psql` run a replacement that supports the options on the
 * pages.
 * @param rowgate a script for Node and its first arguments
 */
async function commandEnvironment(
  folder: string,
  rowgate: readonly string[] = [program],
): Promise<Record<string, string>> {
  const bin = path.join(folder, '.bin');
  await mkdir(bin);
  const psql = path.join(import.meta.dirname, 'psql.ts');
  const scripts = {
    rowgate: `exec ${process.execPath} ${rowgate.join(' ')} "$@"`,
    npx: 'exec "$@"',
    psql: `exec ${process.execPath} ${psql} "$@"`,
  };
  for (const [name, line] of Object.entries(scripts)) {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${line}\n`);
    await chmod(path.join(bin, name), 0o755);
  }
  return { ...compileCache(), PATH: `${bin}:${process.env.PATH}`, HOME: folder };
}
