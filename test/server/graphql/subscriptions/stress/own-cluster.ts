import path from 'node:path';
import pg from 'pg';
import { readPidFile } from '../../../../../server/db/embedded/pid-file.ts';
import { withDatabase } from '../../../../../server/db/url.ts';
import { makeClusterFolder, removeFolders, startCluster } from '../../../../support/data-folder.ts';
import type { TestDatabase } from '../../../../support/database.ts';

/** A database in a Postgres of its own, which a test can kill. */
export interface KillableDatabase extends TestDatabase {
  /** Kills Postgres with SIGKILL and starts it again. */
  kill(): Promise<void>;
}

export async function startKillableDatabase(): Promise<KillableDatabase> {
  const folder = await makeClusterFolder();
  let cluster = await startCluster(folder);
  const { ownerUrl } = cluster;
  const name = new URL(ownerUrl).pathname.slice(1);
  const superuserUrl = withDatabase(cluster.superuserUrl, name);
  const clients: pg.Client[] = [];
  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString });
    // Without a listener, the end of Postgres would end the process.
    client.on('error', () => {});
    clients.push(client);
    await client.connect();
    return client;
  };
  return {
    ...{ name, ownerUrl, superuserUrl, isApplied: false },
    connectOwner: () => connect(ownerUrl),
    connectSuperuser: () => connect(superuserUrl),
    kill: async () => {
      const postmaster = await readPidFile(path.join(cluster.folder, 'data'));
      process.kill(postmaster?.pid ?? Number.NaN, 'SIGKILL');
      cluster = await startCluster(folder);
    },
    drop: async () => {
      await Promise.allSettled(clients.map((client) => client.end()));
      await cluster.stop();
      await removeFolders();
    },
  };
}
