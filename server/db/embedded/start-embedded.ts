import path from 'node:path';
import type pino from 'pino';
import { errorMessage } from '../../errors.ts';
import { readOrMakeSecret } from '../logins/secret-file.ts';
import { type Binaries, prepareBinaries } from './binaries.ts';
import { type ClusterHome, prepareDataDir, readRecord, resolveHome, updateRecord } from './home.ts';
import { ensureCluster } from './initialise.ts';
import { Presence, withExclusiveLock } from './lock.ts';
import { findRunning, type Settings, startPostmaster, stopPostmaster } from './postmaster.ts';
import { type ClusterUrls, type Passwords, provision } from './provision.ts';

export interface EmbeddedOptions {
  /** Created when missing. Holds passwords (0600), the log and usually the cluster. */
  readonly dataDir: string;
  readonly logger: pino.Logger;
  /** Default true; false is faster but not safe against power loss, for temporary clusters. */
  readonly durable?: boolean;
  /** Called while a cluster is created by another process, which takes about a second. Must not throw. */
  readonly meanwhile?: () => void;
  /** The installed package with Postgres; default the one for this platform. */
  readonly packageName?: string;
  /** Further environment variables of the server, if this call starts it. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface EmbeddedCluster extends ClusterUrls {
  /** The folder of the cluster. */
  readonly folder: string;
  /** Ends the use of the cluster, which stops when no other process uses it. Can be called again. */
  stop(): Promise<void>;
}

interface Site {
  readonly lock: string;
  readonly home: ClusterHome;
  readonly binaries: Binaries;
  readonly presence: Presence;
}

/**
 * Connects this process to the Postgres server of a data folder. Several processes can share the server. Starts the
 * server, or creates its cluster, when needed. Throws a ProcessError with the reason of a failure. Never overwrites
 * existing files.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedCluster> {
  const dataDir = await prepareDataDir(options.dataDir);
  const lock = path.join(dataDir, 'lock');
  return withExclusiveLock(lock, async () => {
    const home = await resolveHome(dataDir);
    const binaries = await prepareBinaries(home.folder, home.account, options.packageName);
    const passwords = await readPasswords(dataDir);
    const presence = new Presence(path.join(dataDir, 'in-use'));
    const site = { lock, home, binaries, presence };
    try {
      const port = await joinOrStart(site, dataDir, passwords, options);
      return clusterOf(site, await provision(port, passwords));
    } catch (error) {
      await leave(site).catch((failure: unknown) => options.logger.warn(errorMessage(failure)));
      throw error;
    }
  });
}

async function readPasswords(dataDir: string): Promise<Passwords> {
  return {
    superuser: await readOrMakeSecret(path.join(dataDir, 'postgres-superuser-password')),
    owner: await readOrMakeSecret(path.join(dataDir, 'postgres-owner-password')),
  };
}

async function joinOrStart(
  { home, binaries }: Site,
  dataDir: string,
  passwords: Passwords,
  { logger, durable = true, meanwhile = () => {}, environment = {} }: EmbeddedOptions,
): Promise<number> {
  await ensureCluster(home, binaries, passwords.superuser, { durable, meanwhile });
  const running = await findRunning(home);
  if (running !== undefined) {
    logger.debug({ port: running }, 'joined the running embedded Postgres');
    return running;
  }
  const { port: previous } = await readRecord(dataDir);
  const port = await startPostmaster(home, binaries, previous, {
    settings: settings(durable),
    environment,
  });
  if (port !== previous) await updateRecord(dataDir, { port });
  logger.debug({ port }, 'started the embedded Postgres');
  return port;
}

/**
 * Returns the settings of the server. It listens on loopback TCP only and not on a Unix socket, whose path could be too
 * long in a deep data folder.
 */
function settings(durable: boolean): Settings {
  const always = { listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  const speed = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  return durable ? always : { ...always, ...speed, max_connections: '300' };
}

function clusterOf(site: Site, urls: ClusterUrls): EmbeddedCluster {
  let stopped: Promise<void> | undefined;
  return {
    ...urls,
    folder: site.home.folder,
    stop() {
      stopped ??= withExclusiveLock(site.lock, () => leave(site));
      return stopped;
    },
  };
}

async function leave({ home, binaries, presence }: Site): Promise<void> {
  if (presence.leave()) await stopPostmaster(home, binaries);
}
