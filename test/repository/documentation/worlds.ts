import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  appliedEnvironment,
  adminSecret as secret,
  start,
} from '../../server/cli/support/start.ts';
import { makeDataFolder, removeFolders } from '../../support/data-folder.ts';
import { createDatabase } from '../../support/database.ts';
import { root } from '../../support/documentation.ts';
import { platformMetadata } from '../../support/http.ts';
import { endPrograms } from '../../support/program.ts';
import {
  compileCache,
  program,
  runRowgate,
  type Served,
  serveRowgate,
} from '../../support/rowgate.ts';
import type { WorldKind } from './blocks.ts';

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
  /** Starts the server if it is not running. Returns the URL of the server. */
  serve(args?: readonly string[]): Promise<string>;
  /** Returns the log of the server, if the server is a separate process. */
  log(): string;
  end(): Promise<void>;
}

export function openWorld(kind: WorldKind): Promise<World> {
  if (kind === 'own database') return openOwnDatabase();
  return kind === 'platform' ? openPlatform() : openDemoServer();
}

/** An empty database, with a metadata folder that the page writes. */
async function openOwnDatabase(): Promise<World> {
  const folder = await makeDataFolder();
  const database = await createDatabase();
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const metadata = path.join(folder, 'metadata');
  const environment = {
    ...(await commandEnvironment(folder)),
    DATABASE_URL: database.ownerUrl,
    ROWGATE_DATA_DIR: path.join(folder, '.rowgate'),
    ROWGATE_ADMIN_SECRET: secret,
    SECRET: secret,
  };
  let isChanged = false;
  let served: Served | undefined;
  const apply = async () => {
    if (!isChanged) return;
    const { code, stdout, stderr } = await runRowgate(
      ['apply', '--yes', '--metadata', metadata],
      environment,
    );
    if (code !== 0) throw new Error(`apply ends with ${code}: ${stdout}${stderr}`);
    isChanged = false;
    await served?.end();
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
      const others = args.filter((one) => one !== '--metadata' && one !== 'metadata');
      served ??= await serveRowgate(environment, [...others, '--metadata', metadata]);
      return served.url;
    },
    log: () => (served ? served.stdout() + served.stderr() : ''),
    end: async () => {
      await endPrograms();
      await removeFolders();
      await database.drop();
    },
  };
}

/** The platform with its demo data and rules, in a database of the tests' cluster. */
async function openPlatform(): Promise<World> {
  const database = await createDatabase({ from: 'applied' });
  const folder = await makeDataFolder();
  const served = await start(await appliedEnvironment(database));
  const environment = {
    ...(await commandEnvironment(folder)),
    ...(await appliedEnvironment(database)),
    SECRET: secret,
  };
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
  const settings = { ROWGATE_CARD_WEBHOOK_SECRET: 'c'.repeat(32) };
  const ROWGATE_DATA_DIR = path.join(folder, '.rowgate');
  const served = await start({ ROWGATE_DATA_DIR, ...settings });
  const environment = { ...(await commandEnvironment(folder)), ...settings };
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
 */
async function commandEnvironment(folder: string): Promise<Record<string, string>> {
  const bin = path.join(folder, '.bin');
  await mkdir(bin);
  const psql = path.join(import.meta.dirname, 'psql.ts');
  const scripts = {
    rowgate: `exec ${process.execPath} ${program} "$@"`,
    npx: 'exec "$@"',
    psql: `exec ${process.execPath} ${psql} "$@"`,
  };
  for (const [name, line] of Object.entries(scripts)) {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${line}\n`);
    await chmod(path.join(bin, name), 0o755);
  }
  return { ...compileCache(), PATH: `${bin}:${process.env.PATH}`, HOME: folder };
}
